import { textWidth } from './text-width.ts'
import type { Cell, Column } from './table.ts'
import { terminalText } from './terminal.ts'

const WIDTH = 80
const GAP_WIDTH = 2
/** No column becomes narrower than this, or than its title. */
const NARROWEST = 8

/** Cuts cells so that a table is no wider than 80 columns: those of the columns `shrinks`, one after another. */
export function fitted(
  rows: readonly (readonly Cell[])[],
  columns: readonly Column[],
  { shrinks }: { readonly shrinks: readonly number[] },
): readonly (readonly Cell[])[] {
  const widths = columns.map(({ title }, index) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[index])), textWidth(title)),
  )
  let excess = widths.reduce((sum, width) => sum + width, GAP_WIDTH * (columns.length - 1)) - WIDTH
  for (const index of shrinks) {
    const width = widths[index] ?? 0
    const narrowest = Math.max(NARROWEST, textWidth(columns[index]?.title ?? ''))
    const cut = Math.max(Math.min(excess, width - narrowest), 0)
    widths[index] = width - cut
    excess -= cut
  }
  return rows.map((row) => row.map((cell, index) => clipped(cell, widths[index] ?? 0)))
}

function widthOf(cell: Cell | undefined): number {
  if (cell === undefined) return 0
  return textWidth(terminalText(typeof cell === 'string' ? cell : cell.text))
}

function clipped(cell: Cell, width: number): Cell {
  if (widthOf(cell) <= width) return cell
  return typeof cell === 'string' ? clip(cell, width) : { ...cell, text: clip(cell.text, width) }
}

function clip(text: string, width: number): string {
  let head = ''
  for (const character of text) {
    if (widthOf(`${head}${character}…`) > width) break
    head += character
  }
  return `${head}…`
}
