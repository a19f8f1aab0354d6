export type Cells = Partial<Record<keyof typeof FIRST, string>>

/** A CSV of deliveries with the columns of the real one; what is not given stands as in its first line. */
export function deliveriesCsv(...lines: readonly Cells[]): string {
  const rows = [Object.keys(FIRST), ...lines.map((line) => Object.values({ ...FIRST, ...line }))]
  return rows.map((row) => `${row.map(quote).join(',')}\n`).join('')
}

const FIRST = {
  ID: '1',
  'PO / SO #': 'SCMS-4',
  'ASN/DN #': 'ASN-8',
  'Vendor INCO Term': 'EXW',
  'Shipment Mode': 'Air',
  'PQ First Sent to Client Date': 'Pre-PQ Process',
  'Scheduled Delivery Date': '02-Jun-06',
  'Delivered to Client Date': '04-Jun-06',
  'Delivery Recorded Date': '06-Jun-06',
  Vendor: 'RANBAXY Fine Chemicals LTD.',
  'Item Description': 'HIV, Reveal G3 Rapid HIV-1 Antibody Test, 30 Tests',
  'Molecule/Test Type': 'HIV, Reveal G3 Rapid HIV-1 Antibody Test',
  'Line Item Quantity': '19',
  'Pack Price': '29.5',
}

function quote(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
