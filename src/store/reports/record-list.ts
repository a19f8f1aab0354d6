import { dayNumber } from '../../model/record-outline.ts'
import { accountsAsked } from '../../model/scope.ts'
import type { DueTotals, DueTotalsQuery, RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import { accountNames, type Dialect } from './dialect.ts'
import type { Lookup } from './lookup.ts'
import type { Page } from '../../model/page.ts'
import { comparePlaces, FIRST, LAST, pageOf, type Place, readPlace, writeCursor } from './ranges.ts'
import { isAskedRecord, loadSummaries } from './record-summaries.ts'
import type { DueRange } from '../../model/due-choice.ts'

const DUE_LIST = 'due'
const TOTALS_LIST = 'due totals'

type DueQuery = RecordQuery & { readonly due: (account: string) => DueRange }

/** Invoices that have yet to be paid, the one that falls due first at the top, inside the caller's transaction. */
export function dueRecords<Source>(
  dialect: Dialect<Source>,
): (source: Source, query: DueQuery) => Lookup<Page<RecordSummary>> {
  const [summaries, names] = [loadSummaries(dialect), accountNames(dialect)]
  const byDueDate = dialect.rangesOf({
    columns: { account: 'text', from_day: 'bigint', from_ref: 'bigint', last: 'bigint' },
    rows: (of) => `
      SELECT due_day AS key, ref FROM records ${dialect.by('records_due')}
      WHERE records.account = ${of.account} AND due_day IS NOT NULL AND removed_at IS NULL
        AND (due_day, ref) > (${of.from_day}, ${of.from_ref}) AND due_day <= ${of.last}
      ORDER BY due_day, ref LIMIT CAST(:most AS integer)`,
  })
  return function* (source, query) {
    const { cursor, due, limit, resource } = query
    if (resource !== 'invoice') return { items: [], next: null }
    const accounts = yield* names(source, accountsAsked(query))
    const each = accounts.map((name) => dueRange(name, due(name)))
    const load = function* (refs: readonly number[]): Lookup<ReadonlyMap<number, RecordSummary>> {
      return new Map([...(yield* summaries(source, refs))].filter(([, found]) => isAskedRecord(found, query)))
    }
    const ranges = byDueDate(source, { from: readPlace(cursor, DUE_LIST) ?? FIRST, order: 'oldest', each })
    return yield* pageOf(ranges, { load, limit, list: DUE_LIST, most: 2 * limit })
  }
}

function dueRange(account: string, { from, to }: DueRange) {
  const begin = from === null ? FIRST : { key: dayNumber(from), ref: FIRST.ref }
  const last = to === null ? LAST.key : dayNumber(to)
  return (beyond: Place) => {
    const { key, ref } = comparePlaces(beyond, begin) < 0 ? begin : beyond
    return { account, from_day: key, from_ref: ref, last }
  }
}

/** `RecordQueryStore.dueTotals`: one statement, which looks at nothing but the rows of invoices. */
export function dueTotals<Source>({
  all,
  by,
}: Dialect<Source>): (source: Source, query: DueTotalsQuery) => Lookup<Page<DueTotals>> {
  const rows = all<DueTotals & Place>(`
    SELECT due_day AS key, ref, id, totals FROM records ${by('records_due')}
    WHERE account = :account AND due_day IS NOT NULL AND removed_at IS NULL
      AND (due_day, ref) > (:from_day, :from_ref) AND due_day <= :last
    ORDER BY due_day, ref LIMIT CAST(:limit AS integer)`)
  return function* (source, { account, cursor, due, limit }) {
    const asked = dueRange(account, due)(readPlace(cursor, TOTALS_LIST) ?? FIRST)
    const found = yield* rows(source, { ...asked, limit })
    const last = found.length < limit ? undefined : found.at(-1)
    const items = found.map(({ id, totals }) => ({ id, totals }))
    return { items, next: last === undefined ? null : writeCursor(TOTALS_LIST, [last.key, last.ref]) }
  }
}
