import { writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { realDeliveriesFile, SAMPLE, textOf } from '../real-deliveries.ts'

/** What the importer of `shipbell sandbox --data` reads. */
const COLUMNS = [
  'ID',
  'PO / SO #',
  'ASN/DN #',
  'Vendor INCO Term',
  'Shipment Mode',
  'PQ First Sent to Client Date',
  'Scheduled Delivery Date',
  'Delivered to Client Date',
  'Delivery Recorded Date',
  'Vendor',
  'Item Description',
  'Molecule/Test Type',
  'Line Item Quantity',
  'Pack Price',
] as const

const EVERY_NTH = 50

/** Recorded on the first day of the data; two scheduled days; recorded the day before it was delivered. */
const AWKWARD = ['ASN-6', 'ASN-26928', 'ASN-22935']

/** All lines of every 50th shipment, and of those that are awkward, as they stand in the whole file. */
export function sampleOf(file: string): string {
  const lines = parse<Record<string, string>>(textOf(file), { columns: true })
  const ids = [...new Set(lines.map((line) => line['ASN/DN #'] ?? ''))]
  const chosen = new Set([...ids.filter((_, nth) => nth % EVERY_NTH === 0), ...AWKWARD])
  const rows = lines
    .filter((line) => chosen.has(line['ASN/DN #'] ?? ''))
    .map((line) => COLUMNS.map((name) => line[name]))
  return [COLUMNS, ...rows].map((row) => `${row.map(quote).join(',')}\n`).join('')
}

function quote(cell = ''): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

if (import.meta.main) {
  const file = realDeliveriesFile()
  if (file === null) throw new Error('The whole file is not here; set SHIPBELL_DATA to it.')
  writeFileSync(SAMPLE, sampleOf(file))
}
