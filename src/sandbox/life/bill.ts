import type { Random } from '../random.ts'
import { timelineOf, type Timeline } from './timeline.ts'
import { accountNumber, type Brief } from './brief.ts'
import type { Course } from './chart-course.ts'
import {
  creditLine,
  extraLine,
  invoiceLines,
  type InvoiceLine,
  type LinesInput,
  type Quantities,
} from './invoice-lines.ts'
import { collect, type InvoiceStatus } from './collect.ts'
import { DAY, HOUR } from './pace.ts'

/** One invoice or credit note, from its issue on. */
export interface InvoiceLife {
  readonly reference: string
  readonly number: string
  readonly type: 'invoice' | 'credit_note'
  readonly currency: 'EUR' | 'USD' | 'GBP'
  /** When the invoice is issued; the list is in this order. */
  readonly at: number
  readonly status: Timeline<InvoiceStatus>
  /** Days since the Unix epoch, UTC. */
  readonly dueDay: Timeline<number>
  readonly lines: Timeline<readonly InvoiceLine[]>
  readonly usdToEurRate: number
}

export interface BillInput {
  readonly random: Random
  readonly seed: string
  readonly brief: Brief
  readonly course: Course
  readonly quantities: Quantities
}

/** The invoices of a shipment: the main carriage after departure, mostly local charges after arrival, now and then a credit note. */
export function bill(input: BillInput): readonly InvoiceLife[] {
  const { random, course } = input
  const main = issue(input, {
    nth: 0,
    part: 'main',
    at: course.facts.departure.reportedAt + random.between(6, 60) * HOUR,
  })
  if (!random.chance(0.65)) return [main, ...credit(input, { nth: 1, invoice: main })]
  const local = issue(input, {
    nth: 1,
    part: 'local',
    at: course.facts.arrival.reportedAt + random.between(6, 72) * HOUR,
  })
  return [main, local, ...credit(input, { nth: 2, invoice: random.pick([main, local]) })]
}

function issue(
  input: BillInput,
  what: { readonly nth: number; readonly part: 'main' | 'local'; readonly at: number },
): InvoiceLife {
  const { random } = input
  const linesInput: LinesInput = input
  const first = invoiceLines(what.part, linesInput)
  const terms = random.pick([10, 15, 15, 30, 30, 45])
  const dueDay = Math.floor(what.at / DAY) + terms
  const collection = collect({ random, issuedAt: what.at, dueDay })
  const amended = random.chance(0.5)
    ? [...first, extraLine(linesInput)]
    : first.map((line, index) => (index === 0 ? discounted(line) : line))
  return {
    ...identity(input, what.nth),
    type: 'invoice',
    currency: what.part === 'local' ? 'EUR' : random.pick(['EUR', 'USD', 'USD', 'GBP'] as const),
    at: what.at,
    status: collection.status,
    dueDay: collection.dueDay,
    lines: [
      { at: what.at, value: first },
      ...(collection.amendedAt === null ? [] : [{ at: collection.amendedAt, value: amended }]),
    ],
    usdToEurRate: Number(random.between(0.84, 0.94).toFixed(4)),
  }
}

function discounted(line: InvoiceLine): InvoiceLine {
  const unitRate = Math.round(line.unitRate * 95) / 100
  return { ...line, unitRate, amount: Math.round(unitRate * line.quantity * 100) / 100 }
}

function credit(
  input: BillInput,
  what: { readonly nth: number; readonly invoice: InvoiceLife },
): readonly InvoiceLife[] {
  const { random } = input
  if (!random.chance(0.14)) return []
  const { invoice } = what
  const at = invoice.at + random.between(3, 12) * DAY
  const line = random.pick(invoice.lines[0]?.value ?? [])
  return [
    {
      ...invoice,
      ...identity(input, what.nth),
      type: 'credit_note',
      at,
      status: timelineOf<InvoiceStatus>(
        [
          { at, value: 'available' },
          { at: at + random.between(4, 20) * DAY, value: 'paid' },
        ],
        Object.is,
      ),
      dueDay: [{ at, value: Math.floor(at / DAY) + 30 }],
      lines: [{ at, value: [creditLine(line, random.pick([0.1, 0.25, 0.5]))] }],
    },
  ]
}

/** Half of the forwarders write references with spaces and slashes: a client has to encode its paths. */
function identity(input: BillInput, nth: number): Pick<InvoiceLife, 'reference' | 'number'> {
  const { brief, seed } = input
  const account = accountNumber(seed)
  const serial = String(brief.index * 3 + nth + 1).padStart(5, '0')
  const spaced = brief.forwarder.length % 2 === 0
  return {
    reference: spaced ? `FA ${account}/${serial}` : `INV-${account}-${serial}`,
    number: `${account}${serial}`,
  }
}
