import type { DueChoice } from '../../../model/due-choice.ts'
import type { JsonObject } from '../../../model/json.ts'
import { addDue, dueSum, type DueSum, NOTHING_DUE, saidDue } from '../../../report/due-invoices.ts'
import type { RecordSummary } from '../../../store/ports/record-query-port.ts'
import { dueAt } from '../../due-at.ts'
import { objectsOf } from '../records/record-objects.ts'
import type { View } from '../show-page.ts'

/** Invoices that are due, the one that falls due first at the top. */
export interface DueList {
  readonly first: readonly { readonly row: RecordSummary; readonly invoice: JsonObject }[]
  /** What all of them come to; null: they are many, and nobody has added them up yet. */
  readonly sum: DueSum | null
}

export interface DueFacts {
  readonly overdue: DueList
  readonly soon: DueList
}

/** How many invoices are added up for a request: of more, the sum is kept. */
const MOST = 200
const SHOWN = 8
const PATIENCE_MS = 20

/** Invoices that have yet to be paid: what is overdue, and what falls due within seven days. */
export async function dueFacts(view: View): Promise<DueFacts> {
  const [overdue, soon] = await Promise.all([
    dueList('overdue', { kind: 'overdue' }, view),
    dueList('soon', { kind: 'within', days: 7 }, view),
  ])
  return { overdue, soon }
}

async function dueList(name: 'overdue' | 'soon', choice: DueChoice, view: View): Promise<DueList> {
  const { desk } = view
  // Where it is known that they are many, those that are shown are enough.
  const kept = await keptSum(name, view)
  const limit = (kept?.invoices ?? 0) > 2 * MOST ? SHOWN : MOST
  const page = await desk.store.recordPage({ resource: 'invoice', due: dueAt(choice, desk), limit })
  const isAll = page.next === null
  const shown = page.items.slice(0, SHOWN)
  // What an invoice comes to stands beside it, but for one whose store was just upgraded, or that says no amount.
  const unsaid = isAll ? page.items.slice(SHOWN).filter(({ totals }) => totals === null) : []
  const objects = await objectsOf('invoice', [...shown, ...unsaid], view)
  const first = shown.flatMap((row) => {
    const invoice = objects.get(row)
    return invoice === undefined ? [] : [{ row, invoice }]
  })
  return { first, sum: isAll ? sumOf(page.items, objects) : kept }
}

function sumOf(rows: readonly RecordSummary[], objects: ReadonlyMap<RecordSummary, JsonObject>): DueSum {
  const read = rows.filter(({ totals }) => totals === null).map((row) => objects.get(row))
  return addDue(saidDue(rows), dueSum(read.filter((each) => each !== undefined)))
}

async function keptSum(name: 'overdue' | 'soon', { desk }: View): Promise<DueSum | null> {
  const kept = await desk.reports.dueInvoices(PATIENCE_MS)
  return kept === null ? null : kept.map((each) => each[name]).reduce(addDue, NOTHING_DUE)
}
