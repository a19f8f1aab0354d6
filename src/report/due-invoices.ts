import { addTotals, totalsByCurrency } from '../model/invoice.ts'
import { field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import type { RecordSummary } from '../store/ports/record-query-port.ts'

/** Invoices that have yet to be paid: how many, and what they come to by currency. */
export interface DueSum {
  readonly invoices: number
  /** Exact decimals by currency. */
  readonly totals: JsonObject
}

/** What is due of an account: what is overdue, and what falls due within the coming days. */
export interface AccountDue {
  readonly account: string
  readonly overdue: DueSum
  readonly soon: DueSum
}

export const NOTHING_DUE: DueSum = { invoices: 0, totals: {} }

/** What invoices come to together. */
export function dueSum(invoices: readonly JsonObject[]): DueSum {
  return invoices.reduce<DueSum>((sum, invoice) => addDue(sum, { invoices: 1, totals: totalsOf(invoice) }), NOTHING_DUE)
}

export function addDue(one: DueSum, other: DueSum): DueSum {
  return { invoices: one.invoices + other.invoices, totals: addTotals(one.totals, other.totals) }
}

/** What invoices come to together whose rows say it (`RecordSummary.totals`); the others are not counted. */
export function saidDue(rows: readonly Pick<RecordSummary, 'totals'>[]): DueSum {
  const said = rows.flatMap(({ totals }) => (totals === null ? [] : [readTotals(totals)]))
  return said.reduce<DueSum>((sum, totals) => addDue(sum, { invoices: 1, totals }), NOTHING_DUE)
}

function readTotals(totals: string): JsonObject {
  const parsed: Json = JSON.parse(totals)
  return isJsonObject(parsed) ? parsed : {}
}

function totalsOf(invoice: JsonObject): JsonObject {
  const lines = field(invoice, 'lines')
  return lines !== undefined && isJsonArray(lines) ? totalsByCurrency(lines) : {}
}
