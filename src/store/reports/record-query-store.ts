import type { RecordDetail, RecordKey, RecordQueryStore } from '../ports/record-query-port.ts'
import { type Dialect, first } from './dialect.ts'
import { dueRecords, dueTotals } from './record-list.ts'
import { orderedRecords } from './record-orders.ts'
import { loadSummaries } from './record-summaries.ts'
import type { Lookup, Reader } from './lookup.ts'
import { type AskIndex, recordSearch, searchReachOf } from './record-search.ts'
import { sortedFinds } from './sorted-finds.ts'
import { slipPages } from './slips.ts'

/** The statements of a dialect, prepared once, for any store of it. */
export function recordQueries<Source>(
  dialect: Dialect<Source>,
  askIndex: AskIndex<Source>,
): (read: Reader<Source>) => RecordQueryStore {
  const [ordered, dueFirst, slips] = [orderedRecords(dialect), dueRecords(dialect), slipPages(dialect)]
  const totals = dueTotals(dialect)
  const [detail, search] = [recordDetail(dialect), recordSearch(dialect, askIndex)]
  const sorted = sortedFinds({ search, reach: searchReachOf(askIndex), walk: ordered })
  return (read) => ({
    recordPage: (query) => {
      if (query.resource === undefined) return read.whole((source) => search(source, query))
      const { due, order, q = '' } = query
      return read.whole((source) => {
        if (q.trim() !== '')
          return order === undefined ? search(source, { ...query, q }) : sorted(source, { ...query, q, order })
        return due === undefined || order !== undefined
          ? ordered(source, { ...query, q: undefined })
          : dueFirst(source, { ...query, due })
      })
    },
    dueTotals: (query) => read.whole((source) => totals(source, query)),
    recordDetail: (key) => read.whole((source) => detail(source, key)),
    slips: (query) => read.whole((source) => slips(source, query)),
  })
}

function recordDetail<Source>(
  dialect: Dialect<Source>,
): (source: Source, key: RecordKey) => Lookup<RecordDetail | null> {
  const summaries = loadSummaries(dialect)
  const refs = dialect.all<{ ref: number }>(
    'SELECT ref FROM records WHERE account = :account AND resource = :resource AND id = :id',
  )
  return function* (source, { account, id, resource }) {
    const ref = (yield* first(refs(source, { account, resource, id })))?.ref
    const summary = ref === undefined ? undefined : (yield* summaries(source, [ref])).get(ref)
    const state = (yield* dialect.records(source, { account, resource }, [id])).get(id)
    if (summary === undefined || state === undefined) return null
    const dates = resource === 'shipment' ? yield* dialect.dates(source, account, state) : {}
    return { ...summary, object: state.seen, firstSeenAt: state.firstSeenAt, dates }
  }
}
