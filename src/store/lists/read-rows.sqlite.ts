import { TABLES } from '../tables/tables.ts'
import type { Phase, PhaseSpan } from '../../model/phase.ts'
import type { KnownRead, PageAfter, ReadKey } from '../../ledger/read-rows.ts'
import { NEW_PAGE, type ReadsAfter } from '../../ledger/reads.ts'
import { isComplete } from './list-rows.ts'
import {
  ADD_PAGE,
  knownRead,
  type LoadedRead,
  MOVE_PAGE,
  PAGE_COLUMNS,
  pageOf,
  type PageRow,
  READ_COLUMNS,
  SHOW_PAGE,
} from './read-rows.ts'
import type { ListKey, ListState, PageContents, PageUnit, PageWrite, StoredPage } from '../ports/list-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { accountOf } from '../records/record-rows.ts'

const PAGE = new Query<PageRow>(`SELECT ${PAGE_COLUMNS} FROM pages WHERE account = ? AND resource = ? AND skip = ?`)
// One row with all of them: a hundred rows cost four times as much.
const MEMBERS = new Query<{ ids: string }>(`
  SELECT json_group_array(id) AS ids FROM reads INDEXED BY reads_page
  WHERE account = ? AND resource = ? AND page = ? AND misses IS NOT NULL`)
// The casts keep SQLite from preparing the join anew for each page.
const PHASES = new Query<{ phase: Phase | null; until: number | null }>(`
  SELECT records.phase, records.phase_until AS until
  FROM pages CROSS JOIN reads INDEXED BY reads_page
    ON reads.account = pages.account AND reads.resource = pages.resource AND reads.page = pages.ref
      AND reads.misses IS NOT NULL
    JOIN records ON records.account = reads.account AND records.resource = reads.resource AND records.id = reads.id
  WHERE pages.account = CAST(? AS TEXT) AND pages.resource = CAST(? AS TEXT) AND pages.skip = CAST(? AS INTEGER)`)
/** The phases on a page whose records have none. */
const NO_PHASES = new Query<{ phase: null; until: null }>(`
  SELECT NULL AS phase, NULL AS until
  FROM pages CROSS JOIN reads INDEXED BY reads_page
    ON reads.account = pages.account AND reads.resource = pages.resource AND reads.page = pages.ref
      AND reads.misses IS NOT NULL
  WHERE pages.account = ? AND pages.resource = ? AND pages.skip = ?`)
const PRINTS = new Query<{ ids: string }>(`
  SELECT json_group_array(json_array(fingerprint, id)) AS ids FROM reads INDEXED BY reads_page
  WHERE account = ? AND resource = ? AND page = ? AND misses IS NOT NULL AND fingerprint IS NOT NULL`)
const PAGE_UNITS = new Query<PageUnit>(`
  SELECT skip, rows, sent_at AS lastSentAt FROM pages
  WHERE account = ? AND resource = ? AND pass >= ? ORDER BY skip`)
const DROP_PAGE = 'DELETE FROM pages WHERE ref = ?'
const DOUBT = 'UPDATE pages SET digest = NULL WHERE ref = ? AND digest IS NOT NULL'

/** What `PlacedAnswer` makes of a record that leaves its page, of whole pages at once. */
const TAKE_OFF_OLD = `
  UPDATE reads SET page = NULL, (sent_at, answered_at, pass) = (
    SELECT pages.sent_at, pages.answered_at, max(pages.pass, reads.pass) FROM pages WHERE pages.ref = reads.page)
  WHERE account = :account AND resource = :resource AND misses IS NOT NULL
    AND page IN (SELECT ref FROM pages WHERE account = :account AND resource = :resource AND pass < :pass)`
const DROP_OLD = 'DELETE FROM pages WHERE account = :account AND resource = :resource AND pass < :pass'

export function loadPage(db: Connection, { account, resource }: ListKey, skip: number): StoredPage | null {
  const row = db.one(PAGE, account, resource, skip)
  return row === undefined ? null : pageOf(row)
}

export function loadContents(db: Connection, { account, resource }: ListKey, skip: number): PageContents | null {
  const row = db.one(PAGE, account, resource, skip)
  if (row === undefined) return null
  const { ids = '[]' } = db.one(PRINTS, account, resource, row.ref) ?? {}
  const pairs: readonly (readonly [fingerprint: string, id: string])[] = JSON.parse(ids)
  return { ...pageOf(row), ids: new Map(pairs) }
}

export function idsOn(db: Connection, { account, resource }: ListKey, skips: readonly number[]): readonly string[] {
  return skips.flatMap((skip) => {
    const page = db.one(PAGE, account, resource, skip)
    return page === undefined ? [] : idsOf(db, { account, resource }, page.ref)
  })
}

export function phasesOn(db: Connection, { account, resource }: ListKey, skip: number): readonly (PhaseSpan | null)[] {
  const found = db.all(resource === 'shipment' ? PHASES : NO_PHASES, account, resource, skip)
  return found.map(({ phase, until }) => (phase === null ? null : { phase, until }))
}

/** `list`: the state of the list, by which the pages of the last complete pass differ from older ones. */
export function pageUnits(db: Connection, { account, resource }: ListKey, list: ListState): readonly PageUnit[] {
  return db.all(PAGE_UNITS, account, resource, isComplete(list) ? list.pass : 0)
}

/** Forgets the pages that the last complete pass did not read: the list is shorter, or is cut otherwise. */
export function dropOldPages(db: Connection, { account, resource }: ListKey, list: ListState): void {
  if (!isComplete(list)) return
  const old = { account, resource, pass: list.pass }
  db.run(TAKE_OFF_OLD, old)
  db.run(DROP_OLD, old)
}

/** A page as it is known, and the ids of the records on it, where an answer shows its rows. Runs inside a write transaction. */
export function loadAnswered(
  db: Connection,
  account: string,
  write: PageWrite | null,
): { readonly page: PageRow | undefined; readonly members: readonly string[] } {
  if (write === null) return { page: undefined, members: [] }
  const list = { account, resource: write.resource }
  const page = db.one(PAGE, account, write.resource, write.skip)
  return { page, members: page === undefined || write.kind === 'same' ? [] : idsOf(db, list, page.ref) }
}

/**
 * Writes what became of an answer's page, by a statement of its own, because one of SQLite is no round trip. Returns its `ref`, which the
 * reads are written with; null: its records are on none.
 */
export function savePage(
  db: Connection,
  account: string,
  { after, write }: { readonly after: PageAfter | null; readonly write: PageWrite | null },
): number | null {
  if (after === null || write === null) return null
  if (after.kind === 'emptied') {
    db.run(DROP_PAGE, after.ref)
    return null
  }
  const { kind, ...moved } = after
  if (write.kind === 'same' || kind === 'same') {
    db.run(MOVE_PAGE, moved)
    return after.ref
  }
  const { certainIdField, contentHash: print, resource, rows, rules, skip } = write
  const shown = { ...moved, rows, print, rules, certainIdField }
  if (after.ref !== NEW_PAGE) {
    db.run(SHOW_PAGE, shown)
    return after.ref
  }
  return db.insert(ADD_PAGE, { ...shown, account, resource, skip })
}

/** Other pages whose next answer is parsed, whatever its bytes. */
export function doubtPages(db: Connection, refs: readonly number[]): void {
  for (const ref of refs) db.run(DOUBT, ref)
}

function idsOf(db: Connection, { account, resource }: ListKey, ref: number): readonly string[] {
  const ids: readonly string[] = JSON.parse(db.one(MEMBERS, account, resource, ref)?.ids ?? '[]')
  return ids
}

// The casts keep SQLite from preparing the statement anew each time.
const READ = new Query<LoadedRead>(`
  SELECT ${READ_COLUMNS} FROM reads AS read LEFT JOIN pages ON pages.ref = read.page
  WHERE read.account = CAST(? AS TEXT) AND read.resource = CAST(? AS TEXT) AND read.id = CAST(? AS TEXT)`)
const SAVE_READ = `${TABLES.reads.insert} ${TABLES.reads.instead()}`
// No index is written, and most rows of an answer that changed are written so.
const SAVE_PRINT = 'UPDATE reads SET fingerprint = ?, etag = ? WHERE account = ? AND resource = ? AND id = ?'
const GROW = `
  INSERT INTO list_sizes (account, resource, records) VALUES (:account, :resource, :by)
  ON CONFLICT DO UPDATE SET records = records + :by`

/** What is known of the reads of records, inside the caller's transaction: one by one, because in a file a look costs no round trip. */
export function loadReads(db: Connection, account: string, keys: readonly ReadKey[]): readonly KnownRead[] {
  const found = keys.map(({ id, resource }) => db.one(READ, accountOf(account, resource), resource, id))
  return found.filter((row) => row !== undefined).map(knownRead)
}

/** Writes what became of reads, after the records that they are of. `page`: the `ref` of the answer's page, where that is new. */
export function saveReads(
  db: Connection,
  account: string,
  { page, reads: { growth, prints, rows } }: { readonly page: number | null; readonly reads: ReadsAfter },
): void {
  for (const { answeredAt, etag, fingerprint, id, misses, page: place, pass, resource, sentAt } of rows) {
    const of = accountOf(account, resource)
    const on = place === NEW_PAGE ? page : place
    db.run(SAVE_READ, of, resource, id, fingerprint, sentAt, answeredAt, pass, misses, on, etag)
  }
  for (const { etag, fingerprint, id, resource } of prints)
    db.run(SAVE_PRINT, fingerprint, etag, accountOf(account, resource), resource, id)
  for (const [resource, by] of growth) db.run(GROW, { account: accountOf(account, resource), resource, by })
}
