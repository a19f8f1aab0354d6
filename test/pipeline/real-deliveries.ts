import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** A fiftieth of the real deliveries; `deliveries/README.md` says where they come from. */
export const SAMPLE = fileURLToPath(new URL('deliveries/sample.csv', import.meta.url))

/** The whole file of real deliveries: what SHIPBELL_DATA names, else the one beside the project; null where there is none. */
export function realDeliveriesFile(): string | null {
  const beside = fileURLToPath(new URL('../../../shared/data/scms-deliveries.csv.gz', import.meta.url))
  return [process.env['SHIPBELL_DATA'], beside].find((file) => file !== undefined && existsSync(file)) ?? null
}

export const NO_DATA = 'The real deliveries are not here; set SHIPBELL_DATA to the CSV file to replay them.'

/** What one event says: all that two lists of events are compared by. Days are `YYYY-MM-DD`. */
export interface Emitted {
  readonly type: string
  readonly shipment: string
  /** The day of the pass that saw it. */
  readonly seen: string
  readonly from: unknown
  readonly to: unknown
  /** Only of dates. */
  readonly shiftMinutes: number | null
}

/** One ASN/DN number, as its cells say. Days are `YYYY-MM-DD`. */
interface DeliveryCells {
  /** The earliest day that a line of it was scheduled for. */
  readonly scheduled: string
  /** The latest day on which a line of it was delivered, and the latest on which that was recorded. */
  readonly delivered: string
  readonly recorded: string
  readonly vendor: string
  /** The country and the shipment mode. */
  readonly lane: string
}

/** The deliveries of a file, by their ASN/DN number, straight from its cells: nothing here is shared with the sandbox. */
export function deliveriesByTheCells(file: string): ReadonlyMap<string, DeliveryCells> {
  const [header = [], ...rows] = cellsOf(textOf(file))
  const deliveries = new Map<string, DeliveryCells>()
  for (const row of rows) {
    const cell = (name: string): string => row[header.indexOf(name)] ?? ''
    const days = {
      scheduled: iso(cell('Scheduled Delivery Date')),
      delivered: iso(cell('Delivered to Client Date')),
      recorded: iso(cell('Delivery Recorded Date')),
    }
    const id = cell('ASN/DN #')
    const lane = `${cell('Country')} × ${cell('Shipment Mode')}`
    const known = deliveries.get(id) ?? { ...days, vendor: cell('Vendor'), lane }
    deliveries.set(id, {
      ...known,
      scheduled: days.scheduled < known.scheduled ? days.scheduled : known.scheduled,
      delivered: days.delivered > known.delivered ? days.delivered : known.delivered,
      recorded: days.recorded > known.recorded ? days.recorded : known.recorded,
    })
  }
  return deliveries
}

/**
 * The events that the deliveries of a file must ring, straight from its cells: nothing here is shared with the sandbox or
 * with detection. Every shipment is known from the first day on and changes once, when its delivery is recorded.
 */
export function eventsByTheCells(file: string): readonly Emitted[] {
  return [...deliveriesByTheCells(file)].flatMap(([shipment, days]) => [
    {
      type: 'shipment.delivered',
      shipment,
      seen: days.recorded,
      from: { date: `${days.scheduled}T12:00:00Z`, status: 'planned' },
      to: { date: `${days.delivered}T12:00:00Z`, status: 'actual' },
      shiftMinutes: (Date.parse(days.delivered) - Date.parse(days.scheduled)) / 60_000,
    },
    {
      type: 'shipment.status_changed',
      shipment,
      seen: days.recorded,
      from: 'booked',
      to: 'finished',
      shiftMinutes: null,
    },
  ])
}

/** Of a CSV file, gzipped or plain. */
export function textOf(file: string): string {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\uFEFF/, '')
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2-Jun-06` → `2006-06-02` */
function iso(cell = ''): string {
  const [day = '', month = '', year = ''] = cell.split('-')
  const text = `20${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
  if (Number.isNaN(Date.parse(text))) throw new Error(`"${cell}" is no day`)
  return text
}

/** RFC 4180: fields between commas; a quoted one may hold commas, line breaks and doubled quotes. */
function cellsOf(text: string): readonly string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1)
}
