import type { JsonObject } from '../../model/json.ts'
import type { RecordDetail, RecordKey, RecordQueryStore } from '../ports/record-query-port.ts'
import type { Database, Transaction } from '../server/database.ts'
import { loadDates } from '../records/date-reads.postgres.ts'
import { dueRecords } from './due-list.postgres.ts'
import { Query } from '../server/query.ts'
import { loadSummaries, newestRecords } from './record-list.postgres.ts'
import { loadRecords } from '../records/record-rows.postgres.ts'
import { foundRecords } from './record-search.postgres.ts'
import { slipPage } from './slip-list.postgres.ts'

const REF = new Query<{ ref: number }>(
  'SELECT ref FROM records WHERE account = :account AND resource = :resource AND id = :id',
)

export function recordQueryStore(db: Database): RecordQueryStore {
  return {
    recordPage: (query) => {
      const { due, q = '' } = query
      return db.read(async (tx) => {
        if (q.trim() !== '') return await foundRecords(tx, { ...query, q })
        return await (due === undefined ? newestRecords(tx, query) : dueRecords(tx, { ...query, due }))
      })
    },
    recordDetail: (key) => db.read(async (tx) => await loadDetail(db, tx, key)),
    recordObjects: (list, ids) => loadObjects(db, list, ids),
    slips: (query) => db.read(async (tx) => await slipPage(tx, query)),
  }
}

async function loadDetail(
  db: Database,
  tx: Transaction,
  { account, id, resource }: RecordKey,
): Promise<RecordDetail | null> {
  const ref = (await tx.one(REF, { account, resource, id }))?.ref
  const summary = ref === undefined ? undefined : (await loadSummaries(tx, [ref])).get(ref)
  const state = (await loadRecords(db, { account, resource }, { ids: [id], tx })).get(id)
  if (summary === undefined || state === undefined) return null
  const dates = resource === 'shipment' ? await loadDates(tx, account, state) : {}
  return { ...summary, object: state.seen, firstSeenAt: state.firstSeenAt, dates }
}

async function loadObjects(
  db: Database,
  list: Pick<RecordKey, 'account' | 'resource'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JsonObject>> {
  const states = [...(await loadRecords(db, list, { ids })).values()]
  return new Map(states.flatMap(({ id, seen }) => (seen === null ? [] : [[id, seen] as const])))
}
