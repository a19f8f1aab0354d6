import type { JsonObject } from '../../model/json.ts'
import type { RecordDetail, RecordKey, RecordQueryStore } from '../ports/record-query-port.ts'
import type { Connection } from '../file/connection.ts'
import { dueRecords } from './due-list.sqlite.ts'
import { loadDates } from '../records/date-rows.sqlite.ts'
import { Query } from '../file/query.ts'
import { loadSummary, newestRecords } from './record-list.sqlite.ts'
import { loadRecords } from '../records/record-rows.sqlite.ts'
import { foundRecords } from './record-search.sqlite.ts'
import { slipPage } from './slip-list.sqlite.ts'

const REF = new Query<{ ref: number }>('SELECT ref FROM records WHERE account = ? AND resource = ? AND id = ?')

export function recordQueryStore(db: Connection): RecordQueryStore {
  return {
    recordPage: (query) => {
      const { due, q = '' } = query
      return db.read(() => {
        if (q.trim() !== '') return foundRecords(db, { ...query, q })
        return due === undefined ? newestRecords(db, query) : dueRecords(db, { ...query, due })
      })
    },
    recordDetail: (key) => db.read(() => loadDetail(db, key)),
    recordObjects: (list, ids) => db.read(() => loadObjects(db, list, ids)),
    slips: (query) => db.read(() => slipPage(db, query)),
  }
}

function loadDetail(db: Connection, { account, id, resource }: RecordKey): RecordDetail | null {
  const row = db.one(REF, account, resource, id)
  const summary = row === undefined ? null : loadSummary(db, row.ref)
  const state = loadRecords(db, { account, resource }, [id]).get(id)
  if (summary === null || state === undefined) return null
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
