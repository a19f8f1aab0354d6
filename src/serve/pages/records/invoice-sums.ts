import { html } from 'hono/html'
import { money } from '../../../message/words/money.ts'
import { addTotals } from '../../../model/invoice.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { Page } from '../../../model/page.ts'
import type { RecordSummary } from '../../../store/ports/record-query-port.ts'
import type { AskedList } from '../../lists/list-query.ts'
import { say, sayCount } from '../languages/say.ts'
import type { Html } from '../parts/markup.ts'
import { text } from '../parts/text.ts'
import { wording } from '../parts/time.ts'
import type { View } from '../show-page.ts'

/** How many invoices are added up at most: no page counts what grows. */
const MOST = 500

interface Shown {
  readonly cursor: string | null
  readonly part: Page<RecordSummary>
}

/** What all invoices come to that match and are not gone, by currency, and apart from them the credit notes; null: there are none, or too many. */
export async function invoiceSums(query: AskedList['query'], shown: Shown, { desk }: View): Promise<Html | null> {
  const isWhole = shown.cursor === null && shown.part.next === null
  const { items, next } = isWhole ? shown.part : await desk.store.recordPage({ ...query, limit: MOST })
  // Where few match, a page of them ends before it is full: nobody knows how many there are.
  if (next !== null && items.length < MOST) return null
  if (next !== null)
    return html`<p class="sum dim">
      ${say('More than {n} match: narrow the list to see their sum.', { n: items.length })}
    </p>`
  const [credits, invoices] = [true, false].map((isCredit) =>
    items.filter(({ kind, removedAt }) => removedAt === null && (kind === 'credit_note') === isCredit),
  )
  const lines = [
    sumOf(invoices ?? [], ['{n} invoice', '{n} invoices']),
    sumOf(credits ?? [], ['{n} credit note', '{n} credit notes']),
  ].filter((line) => line !== null)
  return lines.length === 0
    ? null
    : html`<p class="sum">${lines.map((line, nth) => html`${nth === 0 ? null : html`<br />`}${line}`)}</p>`
}

function sumOf(records: readonly RecordSummary[], amount: readonly [one: string, other: string]): Html | null {
  if (records.length === 0) return null
  const all = records.reduce((sum: JsonObject, { totals }) => addTotals(sum, JSON.parse(totals ?? '{}')), {})
  return html`<strong>${text(money(all, wording()), 200)}</strong>
    <span class="dim">${say('in {invoices}', { invoices: sayCount(records.length, amount) })}</span>`
}
