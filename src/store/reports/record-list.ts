import type { Page } from '../../model/page.ts'
import { outlinedText } from '../../model/record-outline.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import type { Dialect } from './dialect.ts'
import type { Lookup } from './lookup.ts'
import { loadSummaries } from './record-summaries.ts'
import { LAST, readPlace } from './place.ts'
import { pageOf, type RangeText } from './ranges.ts'

const LIST = 'records'

/** Records by their newest event: `RecordQueryStore.recordPage` without `q` and `due`, inside the caller's transaction. */
export function newestRecords<Source>(
  dialect: Dialect<Source>,
): (source: Source, query: Omit<RecordQuery, 'q' | 'due'>) => Lookup<Page<RecordSummary>> {
  const summaries = loadSummaries(dialect)
  const byEvent = dialect.rangesOf(text('account', 'resource'))
  const ofStatus = dialect.rangesOf(text('account', 'resource', 'status'))
  return function* (source, { account, cursor, limit, resource, status }) {
    const accounts = yield* dialect.accountNames(source, account)
    const condition = { resource, ...(status === undefined ? {} : { status: outlinedText(status) }) }
    const each = accounts.map((name) => () => ({ account: name, ...condition }))
    const from = readPlace(cursor, LIST) ?? LAST
    const ranges = (status === undefined ? byEvent : ofStatus)(source, { from, order: 'newest', each })
    const load = (refs: readonly number[]) => summaries(source, refs)
    return yield* pageOf(ranges, { load, limit, list: LIST, most: 2 * limit })
  }

  function text(...columns: readonly string[]): RangeText {
    const index = columns.includes('status') ? 'records_status' : 'records_rang'
    return {
      columns: Object.fromEntries(columns.map((name) => [name, 'text'])),
      rows: (of) => `
        SELECT last_event_at AS key, ref FROM records ${dialect.by(index)}
        WHERE ${columns.map((name) => `records.${name} = ${of[name]}`).join(' AND ')} AND (last_event_at, ref) < (:key, :ref)
        ORDER BY last_event_at DESC, ref DESC LIMIT CAST(:most AS integer)`,
    }
  }
}
