import { field, isJsonArray, textField, type JsonObject } from './json.ts'
import { dueDateOf, isOpenInvoice, totalsByCurrency } from './invoice.ts'
import { laneName } from './lane.ts'
import type { RecordResource } from './resource.ts'

/** What a list shows of a record's content. */
export interface RecordOutline {
  readonly name: string | null
  readonly status: string | null
  /** The carrier of a shipment; null of anything else. */
  readonly carrier: string | null
  /** The UN/LOCODEs of a shipment's ports, from and to: `CNSHA → NLRTM`; null of anything else. */
  readonly lane: string | null
  /** The day on which an invoice falls due that has yet to be paid, since the Unix epoch; null of anything else. */
  readonly dueDay: number | null
  /** The freight mode of a shipment, the type of an invoice; null of anything else. */
  readonly kind: string | null
  /** What an invoice or a credit note comes to, by currency, in JSON; null where it says no amount, and of anything else. */
  readonly totals: string | null
}

/** Longer texts are cut: the record itself has them whole. */
const LONGEST = 300

export const NO_OUTLINE: RecordOutline = {
  name: null,
  status: null,
  carrier: null,
  lane: null,
  dueDay: null,
  kind: null,
  totals: null,
}

export function outlineOf(resource: RecordResource, record: JsonObject | null): RecordOutline {
  return record === null ? NO_OUTLINE : { ...NO_OUTLINE, ...OUTLINES[resource](record) }
}

/** What each resource shows, beside what is null. */
const OUTLINES: Readonly<Record<RecordResource, (record: JsonObject) => Partial<RecordOutline>>> = {
  shipment: (record) => ({
    name: shown(record, 'name'),
    status: shown(record, 'status'),
    carrier: shown(field(record, 'booking_information'), 'carrier'),
    lane: laneOf(record),
    kind: shown(record, 'freight_mode'),
  }),
  tracking: (record) => ({ status: shown(record, 'status') }),
  invoice: (record) => ({
    name: shown(record, 'number'),
    status: shown(record, 'status'),
    dueDay: dueDayOf(record),
    kind: shown(record, 'type'),
    totals: totalsOf(record),
  }),
  document: (record) => ({ name: shown(record, 'name') }),
  purchase_order: (record) => ({ name: shown(record, 'supplier_name') }),
  location: (record) => ({ name: shown(record, 'name') ?? shown(record, 'company_name') }),
  order_preparation: (record) => ({ name: shown(record, 'name') }),
}

const DAY_MS = 86_400_000

/** The days from the Unix epoch to a calendar date that exists. */
export function dayNumber(date: string): number {
  return Date.parse(date) / DAY_MS
}

/** The calendar date (`YYYY-MM-DD`) of a `dueDay`. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

function dueDayOf(invoice: JsonObject): number | null {
  const date = isOpenInvoice(invoice) ? dueDateOf(invoice) : null
  return date === null ? null : dayNumber(date)
}

/** Longer ones are left to the invoice itself. */
const LONGEST_TOTALS = 2_000

function totalsOf(invoice: JsonObject): string | null {
  const lines = field(invoice, 'lines')
  const totals = lines !== undefined && isJsonArray(lines) ? totalsByCurrency(lines) : {}
  const text = JSON.stringify(totals)
  return Object.keys(totals).length === 0 || text.length > LONGEST_TOTALS ? null : text
}

/** A status as the outline of a record has it. */
export function outlinedText(text: string): string {
  return (text.length > LONGEST ? text.slice(0, LONGEST) : text).toWellFormed()
}

function shown(...[record, name]: Parameters<typeof textField>): string | null {
  const text = textField(record, name)
  return text === null ? null : outlinedText(text)
}

function laneOf(shipment: JsonObject): string | null {
  const route = field(shipment, 'route')
  const [from, to] = [shown(route, 'origin_port_unlocode'), shown(route, 'destination_port_unlocode')]
  return from === null || to === null ? null : laneName(from, to)
}
