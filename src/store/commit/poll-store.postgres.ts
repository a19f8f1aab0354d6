import { knownRecord, type KnownRow } from '../lists/read-rows.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { AccountStateStore } from '../ports/account-state-port.ts'
import type { KnownList, ListKey, ListStore, MissingRecord } from '../ports/list-port.ts'
import type { PollStore } from '../ports/store.ts'
import type { KnownRecord, RecordStore } from '../ports/record-port.ts'
import { loadLearnt, loadRejections, loadRestraint, lockAccounts } from '../accounts/accounts.postgres.ts'
import { dueExceptions } from '../exceptions/reminder-rows.postgres.ts'
import { dueStore } from '../records/due-store.postgres.ts'
import { rowOfKey, writeTogether } from '../server/statement-parts.ts'
import { commitBatch } from './commit-batch.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { doubtsOf } from '../lists/hold-rows.postgres.ts'
import { listRow, loadList } from '../lists/list-rows.postgres.ts'
import { nextPass } from '../lists/list-rows.ts'
import { expectationStore } from '../expectations/expectation-rows.postgres.ts'
import { noteStore } from '../notes/note-rows.postgres.ts'
import { loadRoutingState } from '../records/date-rows.postgres.ts'
import { dropOldPages, idsOn, loadContents, loadPage, pageUnits, phasesOn } from '../lists/read-rows.postgres.ts'
import { Query } from '../server/query.ts'
import { loadRecords } from '../records/record-rows.postgres.ts'
import { countRequests, requestsSpent } from '../accounts/request-counts.postgres.ts'
import { nextSlice } from '../snapshots/snapshot-store.postgres.ts'

const KEY = { account: ':account', resource: ':resource', id: 'wanted.id' }
// Each row by its key, because the planner would read the whole list where it knows nothing of the account.
const KNOWN = Query.frequent<KnownRow>(`
  SELECT reads.id, reads.fingerprint, reads.etag, reads.misses, coalesce(pages.sent_at, reads.sent_at) AS sent_at,
    coalesce(pages.answered_at, reads.answered_at) AS answered_at
  FROM unnest(:ids::text[]) WITH ORDINALITY AS wanted (id, place)
    JOIN ${rowOfKey('reads', KEY)} AS reads ON true
    LEFT JOIN pages ON pages.ref = reads.page
  ORDER BY place`)
// Two branches: the records on no page, and the pages that the pass has not read. Each is a range of an index.
const OFF_PAGES = `
  FROM reads WHERE account = :account AND resource = :resource AND page IS NULL AND pass < :pass AND misses IS NOT NULL`
const ON_PAGES = `
  FROM pages JOIN reads ON reads.page = pages.ref AND reads.pass < :pass AND reads.misses IS NOT NULL
  WHERE pages.account = :account AND pages.resource = :resource AND pages.pass < :pass`
const MISSING = new Query<MissingRecord>(`
  SELECT id, misses, pass AS "lastPass" ${OFF_PAGES}
  UNION ALL SELECT reads.id, reads.misses, greatest(reads.pass, pages.pass) ${ON_PAGES}
  ORDER BY misses, id`)

/** All but the page of exceptions, which is a report. */
export function pollStore(db: Database): Omit<PollStore, 'exceptionPage'> {
  return {
    ...recordStore(db),
    ...listStore(db),
    ...noteStore(db),
    ...expectationStore(db),
    ...accountStateStore(db),
    exceptionsDue: async (account, query) => await dueExceptions(db, account, query),
    snapshotSlice: async (query) => await nextSlice(db, query),
    commit: async (batch) => await db.write(async (tx) => await commitBatch(db, tx, batch)),
    routingState: async (account, query) => await db.read(async (tx) => await loadRoutingState(tx, account, query)),
  }
}

function recordStore(db: Database): RecordStore {
  return {
    known: async (account, resource, ids) => await known(db, { account, resource }, ids),
    records: async (account, resource, ids) =>
      await loadRecords(db, { account: account ?? NO_ACCOUNT, resource }, { ids }),
    ...dueStore(db),
  }
}

function listStore(db: Database): ListStore {
  return {
    listState: async (account, resource) => await loadList(db, { account, resource }),
    startPass: async (account, resource, at) =>
      await db.write(async (tx) => await startPass(tx, { account, resource }, at)),
    missing: async (account, resource, pass) => await db.all(MISSING, { account, resource, pass }),
    doubts: async (account, resource) => await doubtsOf(db, { account, resource }),
    page: async (account, resource, skip) => await loadPage(db, { account, resource }, skip),
    idsOn: async (account, resource, skips) => await idsOn(db, { account, resource }, skips),
    phasesOn: async (account, resource, skip) => await phasesOn(db, { account, resource }, skip),
    contents: async (account, resource, skip) => await loadContents(db, { account, resource }, skip),
    pageUnits: async (account, resource) =>
      await db.read(
        async (tx) => await pageUnits(tx, { account, resource }, await loadList(tx, { account, resource })),
      ),
  }
}

function accountStateStore(db: Database): AccountStateStore {
  return {
    restraint: async (account, span) => ({
      ...(await loadRestraint(db, account)),
      spent: await requestsSpent(db, account, span),
    }),
    countRequests: async (account, count) => await db.write(async (tx) => await countRequests(tx, account, count)),
    rejections: async (account, source, ids) => await loadRejections(db, { account, ...source }, ids),
    learnt: async (account) => await db.read(async (tx) => await loadLearnt(tx, account)),
  }
}

async function startPass(tx: Transaction, list: ListKey, at: number): Promise<KnownList> {
  await lockAccounts(tx, [list.account])
  const last = await loadList(tx, list)
  await dropOldPages(tx, list, last)
  const state = nextPass(last, at)
  await writeTogether(tx, { list: listRow(list, state) })
  return state
}

async function known(db: Database, list: ListKey, ids: readonly string[]): Promise<ReadonlyMap<string, KnownRecord>> {
  const rows = ids.length === 0 ? [] : await db.all(KNOWN, { ...list, ids })
  return new Map(rows.map((row) => [row.id, knownRecord(row)]))
}
