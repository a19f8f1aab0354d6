import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** The file of real deliveries: what SHIPBELL_DATA names, else the one beside the project; null where there is none. */
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

/**
 * The events that the deliveries of a file must ring, straight from its cells: nothing here is shared with the sandbox or
 * with detection. Every shipment is known from the first day on and changes once, when its delivery is recorded.
 */
export function eventsByTheCells(file: string): readonly Emitted[] {
  const [header = [], ...rows] = cellsOf(textOf(file))
  const column = (name: string): number => header.indexOf(name)
  const [id, scheduled, delivered, recorded] = [
    column('ASN/DN #'),
    column('Scheduled Delivery Date'),
    column('Delivered to Client Date'),
    column('Delivery Recorded Date'),
  ]
  const shipments = new Map<string, { scheduled: string; delivered: string; recorded: string }>()
  for (const row of rows) {
    const shipment = row[id] ?? ''
    const days = { scheduled: iso(row[scheduled]), delivered: iso(row[delivered]), recorded: iso(row[recorded]) }
    const known = shipments.get(shipment) ?? days
    shipments.set(shipment, {
      scheduled: days.scheduled < known.scheduled ? days.scheduled : known.scheduled,
      delivered: days.delivered > known.delivered ? days.delivered : known.delivered,
      recorded: days.recorded > known.recorded ? days.recorded : known.recorded,
    })
  }
  return [...shipments].flatMap(([shipment, days]) => [
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

function textOf(file: string): string {
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
