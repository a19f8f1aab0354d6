import { parse } from 'csv-parse/sync'
import { ShipbellError } from '../../errors.ts'
import type { DeliveryLine, OrderedItem } from './delivery.ts'

/** The columns without which there is no shipment, or nothing that happens to it. */
const REQUIRED = ['ASN/DN #', 'Scheduled Delivery Date', 'Delivered to Client Date', 'Delivery Recorded Date'] as const

const MODES: ReadonlyMap<string, string> = new Map([['air charter', 'air']])

/** A cell by the name of its column; empty where the data has no such column. */
type Cell = (column: string) => string

/** The lines of a CSV text with a header. `file` names it in errors. Throws `usage` with the row (the header is 1). */
export function parseDeliveryLines(text: string, file: string): readonly DeliveryLine[] {
  const [header = [], ...rows] = split(text, file)
  const columns = new Map(header.map((name, place) => [name, place]))
  const missing = REQUIRED.find((name) => !columns.has(name))
  if (missing !== undefined) {
    throw new ShipbellError('usage', `${file} has no column "${missing}"; --data needs a CSV of deliveries.`)
  }
  return rows.map((row, index) => {
    const line = lineOf((column) => row[columns.get(column) ?? -1] ?? '')
    if (typeof line !== 'string') return line
    throw new ShipbellError('usage', `${file}, row ${index + 2}: ${line}; correct it or leave the row out.`)
  })
}

function split(text: string, file: string): readonly string[][] {
  try {
    return parse(text, { bom: true, trim: true, skip_empty_lines: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ShipbellError('usage', `${file} is not a CSV file: ${reason}.`, { cause: error })
  }
}

/** A line, or what is wrong with it. */
function lineOf(cell: Cell): DeliveryLine | string {
  const shipment = cell('ASN/DN #')
  if (shipment === '') return 'the column "ASN/DN #" is empty'
  const [scheduledDay, deliveredDay, recordedDay] = REQUIRED.slice(1).map((name) => parseDay(cell(name)))
  const wrong = REQUIRED.slice(1).find((name) => Number.isNaN(parseDay(cell(name))))
  if (wrong !== undefined) return `"${cell(wrong).slice(0, 40)}" under "${wrong}" is no day`
  const mode = termOf(cell('Shipment Mode'))
  return {
    shipment,
    order: cell('PO / SO #') || null,
    freightMode: mode === null ? null : (MODES.get(mode) ?? mode),
    incoterm: termOf(cell('Vendor INCO Term')),
    scheduledDay: scheduledDay ?? null,
    deliveredDay: deliveredDay ?? null,
    recordedDay: recordedDay ?? null,
    item: itemOf(cell),
  }
}

/** The term in lower case; null for `N/A` and whatever follows it. */
function termOf(text: string): string | null {
  return text === '' || /^n\/a/i.test(text) ? null : text.toLowerCase()
}

function itemOf(cell: Cell): OrderedItem {
  return {
    reference: cell('ID') || null,
    name: cell('Molecule/Test Type') || null,
    description: cell('Item Description') || null,
    supplier: cell('Vendor') || null,
    quantity: numberOf(cell('Line Item Quantity')),
    packPrice: numberOf(cell('Pack Price')),
  }
}

function numberOf(text: string): number | null {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY = 86_400_000

/**
 * Days since the Unix epoch of `02-Jun-06` or `2006-06-02`. null: a text without a digit, as where there is no date (`Date Not
 * Captured`). NaN: meant as a date, but there is no such day. Years of two digits are of this century.
 */
function parseDay(text: string): number | null {
  if (!/\d/.test(text)) return null
  const named = /^(\d{1,2})-([a-z]{3})-(?:20)?(\d{2})$/i.exec(text)
  if (named !== null) {
    const [, day = '', month = '', year = ''] = named
    return dayOf(2000 + Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day))
  }
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  return dayOf(Number(year), Number(month) - 1, Number(day))
}

function dayOf(year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(year, month, day))
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date.getTime() / DAY : Number.NaN
}
