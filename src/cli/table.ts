import { textWidth } from './text-width.ts'
import type { OutputStream } from './command-context.ts'
import { terminalText, type Paint, type Style } from './terminal.ts'

export type Cell = string | { readonly text: string; readonly style: Style }

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
}

export interface TableOutput {
  readonly stream: OutputStream
  readonly paint: Paint
}

const GAP = '  '

/** Writes rows under their titles. Cells may be hostile: control characters are shown as escapes. */
export function writeTable(columns: readonly Column[], rows: readonly (readonly Cell[])[], output: TableOutput): void {
  const safe = rows.map((row) => row.map(made))
  const widths = columns.map(({ title }, index) =>
    safe.reduce((widest, row) => Math.max(widest, textWidth(row[index]?.text ?? '')), textWidth(title)),
  )
  const line = (cells: readonly SafeCell[]): string =>
    columns
      .map(({ align = 'left' }, index) => {
        const { text, style } = cells[index] ?? { text: '', style: null }
        const space = ' '.repeat(Math.max((widths[index] ?? 0) - textWidth(text), 0))
        const painted = style === null ? text : output.paint(style, text)
        if (align === 'right') return space + painted
        return index === columns.length - 1 ? painted : painted + space
      })
      .join(GAP)
  const titles = columns.map(({ title }): SafeCell => ({ text: title, style: 'bold' }))
  for (const cells of [titles, ...safe]) output.stream.write(`${line(cells)}\n`)
}

interface SafeCell {
  readonly text: string
  readonly style: Style | null
}

function made(cell: Cell): SafeCell {
  return typeof cell === 'string'
    ? { text: terminalText(cell), style: null }
    : { ...cell, text: terminalText(cell.text) }
}
