/** What a cell of a table for programs holds; null: nothing. */
export type Cell = string | number | boolean | null

const SPECIAL = /[",\r\n]/
/** What spreadsheets take for the begin of a formula. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** One line of a table (RFC 4180). A text that a spreadsheet would calculate is made inert by an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  const text = String(cell).toWellFormed()
  const inert = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return SPECIAL.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
