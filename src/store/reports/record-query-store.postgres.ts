import type { JsonObject } from '../../model/json.ts'
import type { RecordDetail, RecordKey, RecordQueryStore } from '../ports/record-query-port.ts'
import type { Database, Transaction } from '../server/database.ts'
import { loadDates } from '../records/date-reads.postgres.ts'
import { dueRecords } from './due-list.ts'
import { Query } from '../server/query.ts'
import { newestRecords } from './record-list.ts'
import { loadSummaries } from './record-summaries.ts'
import { POSTGRES } from './dialect.postgres.ts'
import { awaited } from './lookup.ts'
import { loadRecords } from '../records/record-rows.postgres.ts'
import { foundRecords } from './record-search.postgres.ts'
import { slipPages } from './slip-pages.ts'

const REF = new Query<{ ref: number }>(
  'SELECT ref FROM records WHERE account = :account AND resource = :resource AND id = :id',
)

const [summaries, newest, dueFirst, slips] = [
  loadSummaries(POSTGRES),
  newestRecords(POSTGRES),
  dueRecords(POSTGRES),
  slipPages(POSTGRES),
]

export function recordQueryStore(db: Database): RecordQueryStore {
  return {
    recordPage: (query) => {
      const { due, q = '' } = query
      return db.read(async (tx) => {
        if (q.trim() !== '') return await foundRecords({ db, tx }, { ...query, q })
        return await (due === undefined
          ? awaited(newest({ db, tx }, query))
          : awaited(dueFirst({ db, tx }, { ...query, due })))
      })
    },
    recordDetail: (key) => db.read(async (tx) => await loadDetail(db, tx, key)),
    recordObjects: (list, ids) => loadObjects(db, list, ids),
    slips: (query) => db.read(async (tx) => await awaited(slips({ db, tx }, query))),
  }
}

async function loadDetail(
  db: Database,
  tx: Transaction,
  { account, id, resource }: RecordKey,
): Promise<RecordDetail | null> {
  const ref = (await tx.one(REF, { account, resource, id }))?.ref
  const summary = ref === undefined ? undefined : (await awaited(summaries({ db, tx }, [ref]))).get(ref)
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
