import { knownRecord, type KnownRow } from '../lists/read-rows.ts'
import type { AccountStateStore } from '../ports/account-state-port.ts'
import type { KnownList, ListKey, ListStore, MissingRecord } from '../ports/list-port.ts'
import type { PollStore } from '../ports/store.ts'
import type { KnownRecord, RecordStore } from '../ports/record-port.ts'
import { dueExceptions } from '../exceptions/reminder-rows.sqlite.ts'
import { dueStore } from '../records/due-store.sqlite.ts'
import { commitBatch } from './commit-batch.sqlite.ts'
import { loadList, saveList } from '../lists/list-rows.sqlite.ts'
import { nextPass } from '../lists/list-rows.ts'
import type { Connection } from '../file/connection.ts'
import { doubtsOf } from '../lists/hold-rows.sqlite.ts'
import {
  hasRejections,
  loadLearnt,
  loadRejections,
  loadRestraint,
  registerAccount,
} from '../accounts/accounts.sqlite.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import { expectationStore } from '../expectations/expectation-rows.sqlite.ts'
import { noteStore } from '../notes/note-rows.sqlite.ts'
import { loadRoutingState } from '../records/date-rows.sqlite.ts'
import { dropOldPages, idsOn, loadContents, loadPage, pageUnits, phasesOn } from '../lists/read-rows.sqlite.ts'
import { Query } from '../file/query.ts'
import { loadRecords } from '../records/record-rows.sqlite.ts'
import { countRequests, requestsSpent } from '../accounts/request-counts.sqlite.ts'
import { nextSlice } from '../snapshots/snapshot-store.sqlite.ts'

// Ids come as JSON, because SQLite has no arrays. The casts keep it from preparing the statement anew each time.
const KNOWN = new Query<KnownRow>(`
  SELECT reads.id, reads.fingerprint, reads.etag, reads.misses, ifnull(pages.sent_at, reads.sent_at) AS sent_at,
    ifnull(pages.answered_at, reads.answered_at) AS answered_at
  FROM json_each(?) AS wanted CROSS JOIN reads LEFT JOIN pages ON pages.ref = reads.page
  WHERE reads.account = CAST(? AS TEXT) AND reads.resource = CAST(? AS TEXT) AND reads.id = wanted.value`)
// Two branches: the records on no page, and the pages that the pass has not read. Each is a range of the index `reads_page`.
const OFF_PAGES = `
  FROM reads INDEXED BY reads_page
  WHERE account = :account AND resource = :resource AND page IS NULL AND pass < :pass AND misses IS NOT NULL`
const ON_PAGES = `
  FROM pages CROSS JOIN reads INDEXED BY reads_page
    ON reads.account = :account AND reads.resource = :resource AND reads.page = pages.ref
      AND reads.pass < :pass AND reads.misses IS NOT NULL
  WHERE pages.account = :account AND pages.resource = :resource AND pages.pass < :pass`
const MISSING = new Query<MissingRecord>(`
  SELECT id, misses, pass AS lastPass ${OFF_PAGES}
  UNION ALL SELECT reads.id, reads.misses, max(reads.pass, pages.pass) ${ON_PAGES}
  ORDER BY misses, id`)
/** All but the page of exceptions, which is a report. */
export function pollStore(db: Connection): Omit<PollStore, 'exceptionPage'> {
  return {
    ...recordStore(db),
    ...listStore(db),
    ...noteStore(db),
    ...expectationStore(db),
    ...accountStateStore(db),
    exceptionsDue: (account, query) => db.look(() => dueExceptions(db, account, query)),
    snapshotSlice: (query) => db.read(() => nextSlice(db, query)),
    commit: (batch) => commitBatch(db, batch),
    routingState: (account, query) => db.read(() => loadRoutingState(db, account, query)),
  }
}

function recordStore(db: Connection): RecordStore {
  return {
    known: (account, resource, ids) => db.look(() => known(db, { account, resource }, ids)),
    records: (account, resource, ids) =>
      db.read(() => loadRecords(db, { account: account ?? NO_ACCOUNT, resource }, ids)),
    ...dueStore(db),
  }
}

function listStore(db: Connection): ListStore {
  return {
    listState: (account, resource) => db.look(() => loadList(db, account, resource)),
    startPass: (account, resource, at) => db.write(() => startPass(db, { account, resource }, at)),
    missing: (account, resource, pass) => db.read(() => db.all(MISSING, { account, resource, pass })),
    doubts: (account, resource) => db.read(() => doubtsOf(db, { account, resource })),
    page: (account, resource, skip) => db.look(() => loadPage(db, { account, resource }, skip)),
    idsOn: (account, resource, skips) => db.read(() => idsOn(db, { account, resource }, skips)),
    phasesOn: (account, resource, skip) => db.look(() => phasesOn(db, { account, resource }, skip)),
    contents: (account, resource, skip) => db.read(() => loadContents(db, { account, resource }, skip)),
    pageUnits: (account, resource) =>
      db.read(() => pageUnits(db, { account, resource }, loadList(db, account, resource))),
  }
}

function accountStateStore(db: Connection): AccountStateStore {
  return {
    restraint: (account, span) =>
      db.read(() => ({ ...loadRestraint(db, account), spent: requestsSpent(db, account, span) })),
    countRequests: (account, count) => db.write(() => countRequests(db, account, count)),
    rejections: async (account, source, ids) => {
      const hasAny = await db.look(() => hasRejections(db, account, source.resource))
      return hasAny ? db.read(() => loadRejections(db, { account, ...source }, ids)) : new Map()
    },
    learnt: (account) => db.read(() => loadLearnt(db, account)),
  }
}

function startPass(db: Connection, list: ListKey, at: number): KnownList {
  const last = loadList(db, list.account, list.resource)
  dropOldPages(db, list, last)
  const state = nextPass(last, at)
  registerAccount(db, list.account)
  saveList(db, { ...list, state })
  return state
}

function known(db: Connection, list: ListKey, ids: readonly string[]): ReadonlyMap<string, KnownRecord> {
  const records = new Map<string, KnownRecord>()
  for (const row of db.all(KNOWN, JSON.stringify(ids), list.account, list.resource))
    records.set(row.id, knownRecord(row))
  return records
}
