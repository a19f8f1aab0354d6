import { Big } from 'big.js'
import { field, textField, type Json, type JsonObject } from './json.ts'
import { readDay } from './iso-time.ts'
import type { RecordMemory } from './record-state.ts'

/** The first segment of an invoice's event types: `credit_note.*` by `type`, `invoice.*` otherwise. */
export function invoiceKind(invoice: JsonObject): 'invoice' | 'credit_note' {
  return field(invoice, 'type') === 'credit_note' ? 'credit_note' : 'invoice'
}

/** Every `status` that the interface names. */
export const INVOICE_STATUSES = [
  'new',
  'available',
  'due',
  'partially_paid',
  'paid',
  'in_modification',
  'litigious',
  'write_off',
] as const

const OPEN: ReadonlySet<string> = new Set(['available', 'due', 'new', 'partially_paid'])
const SETTLED: ReadonlySet<string> = new Set(['paid', 'write_off'])

/** What a status means for the calendar; `suspended` holds it, unknown values do too (guarantee E7, calendar events). */
export function invoiceStanding(invoice: JsonObject): 'open' | 'settled' | 'suspended' {
  const status = textField(invoice, 'status') ?? ''
  if (OPEN.has(status)) return 'open'
  return SETTLED.has(status) ? 'settled' : 'suspended'
}

/** An invoice, not a credit note, that has yet to be paid. */
export function isOpenInvoice(invoice: JsonObject): boolean {
  return field(invoice, 'type') === 'invoice' && invoiceStanding(invoice) === 'open'
}

/** The calendar date on which an invoice falls due; null where it has none that can be read. */
export function dueDateOf(invoice: JsonObject): string | null {
  return readDay(field(invoice, 'due_date'))
}

/** What an invoice has as its due date although no day can be read of it; null where a day can, or where there is nothing. */
export function unreadableDueDate(invoice: JsonObject): Json {
  const value = field(invoice, 'due_date') ?? null
  const saysSomething = typeof value === 'string' ? value.trim() !== '' : typeof value !== 'object'
  return saysSomething && readDay(value) === null ? value : null
}

/** The due date that the calendar goes by: where the one that is sent cannot be read, the last one that could be. */
export function dueDateInForce(invoice: JsonObject, { calendar }: RecordMemory): string | null {
  return unreadableDueDate(invoice) === null ? dueDateOf(invoice) : (calendar?.readableDueDate ?? null)
}

/** ISO 4217: no currency. */
const NO_CURRENCY = 'XXX'
const DECIMAL = /^-?\d{1,400}(?:\.\d{1,400})?(?:e[+-]?\d{1,3})?$/i
/** Significant digits that float noise leaves alone. */
const RELIABLE_DIGITS = 14

/** The exact sums of `price.amount` by `price.currency`, as decimal strings; lines without a readable amount add nothing. */
export function totalsByCurrency(lines: readonly Json[]): JsonObject {
  return Object.fromEntries([...sums(lines, amountOf)].map(([currency, sum]) => [currency, sum.toFixed()]))
}

/** Whether lines come to the same totals per currency, but for float noise. */
export function sameTotals(before: readonly Json[], after: readonly Json[]): boolean {
  const was = sums(before, reliableAmountOf)
  const is = sums(after, reliableAmountOf)
  return [...was.keys(), ...is.keys()].every((name) => (was.get(name) ?? ZERO).eq(is.get(name) ?? ZERO))
}

const ZERO = new Big(0)

function sums(lines: readonly Json[], amountOf: (line: Json) => Big | null): ReadonlyMap<string, Big> {
  const totals = new Map<string, Big>()
  for (const line of lines) {
    const amount = amountOf(line)
    if (amount === null) continue
    const name = currencyOf(line)
    totals.set(name, (totals.get(name) ?? ZERO).plus(amount))
  }
  return totals
}

function currencyOf(line: Json): string {
  return textField(field(line, 'price'), 'currency') ?? NO_CURRENCY
}

function amountOf(line: Json): Big | null {
  const text = textField(field(line, 'price'), 'amount')
  return text !== null && DECIMAL.test(text) ? new Big(text) : null
}

function reliableAmountOf(line: Json): Big | null {
  return amountOf(line)?.prec(RELIABLE_DIGITS) ?? null
}

/** More decimals than any price has: what floating point left. */
const MOST_DECIMALS = 6

/** An amount as a person would write it: without the tail of float noise. */
export function withoutNoise(amount: `${number}`): string {
  const [, decimals = ''] = amount.split('.')
  return decimals.length <= MOST_DECIMALS ? amount : new Big(amount).prec(RELIABLE_DIGITS).toFixed()
}

/** The totals of two by currency, exactly; a total that is no number adds nothing. */
export function addTotals(one: JsonObject, other: JsonObject): JsonObject {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const sums = [...names].map(
    (name) => [name, (decimal(one, name) ?? ZERO).plus(decimal(other, name) ?? ZERO)] as const,
  )
  return Object.fromEntries(sums.map(([name, sum]) => [name, sum.toFixed()]))
}

/** What came to totals per currency, exactly; currencies whose total stayed are left out. */
export function totalsDifference(from: JsonObject, to: JsonObject): JsonObject {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  const moves = [...names].map((name) => [name, decimal(from, name), decimal(to, name)] as const)
  return Object.fromEntries(
    moves.flatMap(([name, was, is]) =>
      was === null || is === null || was.eq(is) ? [] : [[name, is.minus(was).toFixed()]],
    ),
  )
}

/** Zero where a currency is missing; null where its total is no number. */
function decimal(totals: JsonObject, currency: string): Big | null {
  const text = Object.hasOwn(totals, currency) ? (textField(totals, currency) ?? '') : '0'
  return DECIMAL.test(text) ? new Big(text) : null
}
