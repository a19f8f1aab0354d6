import type { Random } from '../../src/sandbox/random.ts'
import { amount, dropped, edited, farDate, someDay } from './edits.ts'
import type { Invoice, InvoiceLine } from './facts.ts'

const STATUSES = ['available', 'due', 'in_modification', 'litigious', 'new', 'paid', 'partially_paid', 'write_off']

export function bornInvoice(random: Random, id: string, era: number): Invoice {
  return {
    reference: id,
    number: String(random.whole(10_000, 99_999)),
    type: random.chance(0.7) ? 'invoice' : 'credit_note',
    status: random.pick(STATUSES),
    due_date: dueDate(random, era),
    sent_date: farDate(random),
    lines: [line(random), line(random)],
  }
}

export function editInvoice(random: Random, invoice: Invoice, era: number): Invoice {
  const { lines } = invoice
  return random.pick([
    () => ({ ...invoice, status: random.pick(STATUSES) }),
    () => ({ ...invoice, status: invoice.status === 'due' ? 'available' : 'due' }),
    () => ({ ...invoice, status: invoice.status === 'due' ? 'available' : 'due' }),
    () => ({ ...invoice, due_date: dueDate(random, era) }),
    () => ({ ...invoice, number: String(random.whole(10_000, 99_999)) }),
    () => ({ ...invoice, sent_date: farDate(random) }),
    () => ({ ...invoice, lines: dropped(random, lines) }),
    () => ({ ...invoice, lines: [...lines, line(random)] }),
    () => ({ ...invoice, lines: edited(random, lines, (each) => ({ ...each, price: price(random) })) }),
    () => ({ ...invoice, lines: edited(random, lines, (each) => ({ ...each, vatRate: random.pick([0, 5.5, 20]) })) }),
  ])()
}

/** Lines are told apart by what they describe. */
function line(random: Random): InvoiceLine {
  const description = `Line ${random.whole(0, 1_000_000_000)}`
  return { category: 'freight', description, price: price(random), vatRate: random.pick([0, 20]) }
}

function price(random: Random): InvoiceLine['price'] {
  return { amount: amount(random), currency: random.pick(['EUR', 'USD']) }
}

function dueDate(random: Random, era: number): string | null {
  return random.pick([null, '2031-05-01', someDay(random, era), someDay(random, era), someDay(random, era)])
}
