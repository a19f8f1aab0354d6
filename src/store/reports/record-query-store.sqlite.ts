import type { JsonObject } from '../../model/json.ts'
import type { RecordDetail, RecordKey, RecordQueryStore } from '../ports/record-query-port.ts'
import type { Connection } from '../file/connection.ts'
import { dueRecords } from './due-list.ts'
import { loadDates } from '../records/date-rows.sqlite.ts'
import { Query } from '../file/query.ts'
import { newestRecords } from './record-list.ts'
import { loadSummaries } from './record-summaries.ts'
import { SQLITE } from './dialect.sqlite.ts'
import { atOnce } from './lookup.ts'
import { loadRecords } from '../records/record-rows.sqlite.ts'
import { foundRecords } from './record-search.sqlite.ts'
import { slipPages } from './slip-pages.ts'

const REF = new Query<{ ref: number }>('SELECT ref FROM records WHERE account = ? AND resource = ? AND id = ?')

const [summaries, newest, dueFirst, slips] = [
  loadSummaries(SQLITE),
  newestRecords(SQLITE),
  dueRecords(SQLITE),
  slipPages(SQLITE),
]

export function recordQueryStore(db: Connection): RecordQueryStore {
  return {
    recordPage: (query) => {
      const { due, q = '' } = query
      return db.read(() => {
        if (q.trim() !== '') return foundRecords(db, { ...query, q })
        return due === undefined ? atOnce(newest(db, query)) : atOnce(dueFirst(db, { ...query, due }))
      })
    },
    recordDetail: (key) => db.read(() => loadDetail(db, key)),
    recordObjects: (list, ids) => db.read(() => loadObjects(db, list, ids)),
    slips: (query) => db.read(() => atOnce(slips(db, query))),
  }
}

function loadDetail(db: Connection, { account, id, resource }: RecordKey): RecordDetail | null {
  const row = db.one(REF, account, resource, id)
  const summary = row && atOnce(summaries(db, [row.ref])).get(row.ref)
  const state = loadRecords(db, { account, resource }, [id]).get(id)
  if (summary === undefined || state === undefined) return null
  const dates = resource === 'shipment' ? loadDates(db, account, state) : {}
  return { ...summary, object: state.seen, firstSeenAt: state.firstSeenAt, dates }
}

function loadObjects(
  db: Connection,
  list: Pick<RecordKey, 'account' | 'resource'>,
  ids: readonly string[],
): ReadonlyMap<string, JsonObject> {
  const states = [...loadRecords(db, list, ids).values()]
  return new Map(states.flatMap(({ id, seen }) => (seen === null ? [] : [[id, seen] as const])))
}
