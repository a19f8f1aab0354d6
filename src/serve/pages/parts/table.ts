import { html } from 'hono/html'
import { visible } from '../../../printable.ts'
import { say } from '../languages/say.ts'
import type { Content, Html } from './markup.ts'
import type { ColumnSort } from './sorting.ts'

export interface Column<Row> {
  readonly name: string
  /** `number` stands at the right, `short` on one line; `roomy` has words side by side, `wide` takes what is left. */
  readonly kind?: 'number' | 'short' | 'roomy' | 'wide'
  /** Whether the cards of a phone leave the column out: the page of the row says it. */
  readonly beside?: true
  /** Leads to the list in the order of this column; left out: it is not sorted by it. */
  readonly sort?: ColumnSort
  readonly cell: (row: Row) => Content
}

export interface Table<Row> {
  /** What the table lists, for who cannot see what stands above it. */
  readonly caption: string
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** What stays the same of a row when the list changes. */
  readonly key?: (row: Row) => string
  /** What a row opens to, below it over all columns; null: nothing. */
  readonly below?: (row: Row) => Html | null
  /** What to do where there are no rows. */
  readonly empty: Html
}

/** A list with a head that stays in sight; on a phone each row is a card. `j` and `k` go from row to row. */
export function table<Row>(list: Table<Row>): Html {
  const { caption, columns, empty, rows } = list
  if (rows.length === 0) return html`<div class="empty">${empty}</div>`
  return html`<table class="list">
    <caption class="unseen">
      ${say(caption)}
    </caption>
    <thead>
      <tr>
        ${columns.map(columnHead)}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => tableRow(row, list))}
    </tbody>
  </table>`
}

/** A name such as a type of event breaks behind its dots and underscores. */
function breakable(name: string): Html {
  return html`${name.split(/(?<=[._])/).map((part, nth) => html`${nth === 0 ? null : html`<wbr />`}${part}`)}`
}

function columnHead<Row>(column: Column<Row>): Html {
  const { sort } = column
  const name = say(column.name)
  if (sort === undefined) return html`<th scope="col" class="${classOf(column)}">${breakable(name)}</th>`
  const mark =
    sort.order === null ? null : html`<span aria-hidden="true">${sort.order === 'ascending' ? '▲' : '▼'}</span>`
  return html`<th
    scope="col"
    class="${classOf(column)}"
    ${sort.order === null ? null : html`aria-sort="${sort.order}"`}
  >
    <a href="${sort.href}">${name} ${mark}</a>
  </th>`
}

function tableRow<Row>(row: Row, { below, columns, key }: Table<Row>): Html {
  const [name, opened] = [key?.(row), below?.(row) ?? null]
  return html`<tr data-row ${name === undefined ? null : html`data-key="${visible(name)}"`}>
      ${columns.map((column, nth) =>
        nth === 0
          ? html`<th scope="row" class="${classOf(column)}" data-label="${say(column.name)}">${column.cell(row)}</th>`
          : html`<td class="${classOf(column)}" data-label="${say(column.name)}"><div>${column.cell(row)}</div></td>`,
      )}
    </tr>
    ${
      opened === null
        ? null
        : html`<tr class="below" ${name === undefined ? null : html`data-key="${visible(name)}-below"`}>
            <td colspan="${columns.length}">${opened}</td>
          </tr>`
    }`
}

function classOf<Row>({ beside, kind }: Column<Row>): string {
  return `${kind ?? 'plain'}${beside === true ? ' beside' : ''}`
}
