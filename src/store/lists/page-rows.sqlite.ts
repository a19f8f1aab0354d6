import type { Phase, PhaseSpan } from '../../model/phase.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { isComplete } from './list-rows.ts'
import { isKnownPage, pageOf, readMeanwhile, type PageRow } from './page-rows.ts'
import type {
  ListState,
  PageContents,
  PageUnit,
  PageWrite,
  SamePage,
  ShownPage,
  StoredPage,
} from '../ports/list-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

interface List {
  readonly account: string
  readonly resource: SubjectResource
}

/** The page that the rows of a batch are on. */
export interface Place {
  readonly ref: number
  /** Ids of those that were on it before. */
  readonly members: ReadonlySet<string>
  /** Whether the others of the batch join it. */
  readonly isOpen: boolean
}

const FIND = new Query<PageRow>('SELECT * FROM pages WHERE account = ? AND resource = ? AND skip = ?')
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
/** Of records that have no phases. */
const NO_PHASES = new Query<{ phase: null; until: null }>(`
  SELECT NULL AS phase, NULL AS until
  FROM pages CROSS JOIN reads INDEXED BY reads_page
    ON reads.account = pages.account AND reads.resource = pages.resource AND reads.page = pages.ref
      AND reads.misses IS NOT NULL
  WHERE pages.account = ? AND pages.resource = ? AND pages.skip = ?`)
const PRINTS = new Query<{ ids: string }>(`
  SELECT json_group_array(json_array(fingerprint, id)) AS ids FROM reads INDEXED BY reads_page
  WHERE account = ? AND resource = ? AND page = ? AND misses IS NOT NULL AND fingerprint IS NOT NULL`)
const UNITS = new Query<PageUnit>(`
  SELECT skip, rows, sent_at AS lastSentAt FROM pages
  WHERE account = ? AND resource = ? AND pass >= ? ORDER BY skip`)
const SAVE = new Query<{ ref: number }>(`
  INSERT INTO pages (account, resource, skip, rows, print, rules, certain_id_field, digest, etag, sent_at, answered_at, pass)
  VALUES (:account, :resource, :skip, :rows, :print, :rules, :certainIdField, :digest, :etag, :sentAt, :answeredAt, ifnull(:pass, 0))
  ON CONFLICT (account, resource, skip) DO UPDATE SET rows = :rows, print = :print, rules = :rules,
    certain_id_field = :certainIdField, digest = :digest, etag = :etag, sent_at = :sentAt, answered_at = :answeredAt, pass = ifnull(:pass, pass)
  RETURNING ref`)
const MOVE = `
  UPDATE pages SET sent_at = :sentAt, answered_at = :answeredAt, etag = :etag, pass = ifnull(:pass, pass)
  WHERE ref = :ref`
const MOVE_PASS = 'UPDATE pages SET pass = ifnull(?, pass) WHERE ref = ?'
const DROP = 'DELETE FROM pages WHERE ref = ?'

/** A record that is on no page any more was last read when it last was on one. A page that is gone tells nothing. */
const TAKE_OFF = `
  UPDATE reads SET page = NULL, (sent_at, answered_at, pass) = (
    SELECT pages.sent_at, pages.answered_at, max(pages.pass, reads.pass) FROM pages WHERE pages.ref = reads.page
    UNION ALL SELECT reads.sent_at, reads.answered_at, reads.pass LIMIT 1)`
const TAKE_OFF_ONE = `${TAKE_OFF} WHERE account = ? AND resource = ? AND id = ? AND page IS NOT NULL`
const TAKE_OFF_OLD = `${TAKE_OFF}
  WHERE account = :account AND resource = :resource AND misses IS NOT NULL
    AND page IN (SELECT ref FROM pages WHERE account = :account AND resource = :resource AND pass < :pass)`
const DROP_OLD = 'DELETE FROM pages WHERE account = :account AND resource = :resource AND pass < :pass'
const DOUBT = `
  UPDATE pages SET digest = NULL
  WHERE ref = (SELECT page FROM reads WHERE account = ? AND resource = ? AND id = ?) AND ref IS NOT ?`

export function loadPage(db: Connection, { account, resource }: List, skip: number): StoredPage | null {
  const row = db.one(FIND, account, resource, skip)
  return row === undefined ? null : pageOf(row)
}

export function loadContents(db: Connection, { account, resource }: List, skip: number): PageContents | null {
  const row = db.one(FIND, account, resource, skip)
  if (row === undefined) return null
  const { ids = '[]' } = db.one(PRINTS, account, resource, row.ref) ?? {}
  const pairs: readonly (readonly [fingerprint: string, id: string])[] = JSON.parse(ids)
  return { ...pageOf(row), ids: new Map(pairs) }
}

export function idsOn(db: Connection, { account, resource }: List, skips: readonly number[]): readonly string[] {
  return skips.flatMap((skip) => {
    const page = db.one(FIND, account, resource, skip)
    return page === undefined ? [] : members(db, { account, resource }, page.ref)
  })
}

export function phasesOn(db: Connection, { account, resource }: List, skip: number): readonly (PhaseSpan | null)[] {
  const found = db.all(resource === 'shipment' ? PHASES : NO_PHASES, account, resource, skip)
  return found.map(({ phase, until }) => (phase === null ? null : { phase, until }))
}

/** `list`: the state of the list, by which the pages of the last complete pass differ from older ones. */
export function pageUnits(db: Connection, { account, resource }: List, list: ListState): readonly PageUnit[] {
  return db.all(UNITS, account, resource, isComplete(list) ? list.pass : 0)
}

/** Forgets the pages that the last complete pass did not read: the list is shorter, or is cut otherwise. */
export function dropOldPages(db: Connection, { account, resource }: List, list: ListState): void {
  if (!isComplete(list)) return
  const old = { account, resource, pass: list.pass }
  db.run(TAKE_OFF_OLD, old)
  db.run(DROP_OLD, old)
}

/** Runs inside the caller's write transaction, before the records of the batch are written. null: its rows are on no page. */
export function savePage(db: Connection, account: string, write: PageWrite): Place | null {
  return write.kind === 'same' ? moveSame(db, account, write) : saveShown(db, account, write)
}

/** Something else than the page showed one of its records: the page's next answer is parsed, whatever its bytes. */
export function doubtPage(db: Connection, { account, resource }: List, id: string): void {
  db.run(DOUBT, account, resource, id, null)
}

/** Takes a record off its page and returns the one that it is on from now on: `to`, where that is open to it, or none. */
export function movePage(
  db: Connection,
  list: List,
  { id, to }: { readonly id: string; readonly to: Place | null },
): number | null {
  if (to?.members.has(id) === true) return to.ref
  const place = to?.isOpen === true ? to : null
  db.run(DOUBT, list.account, list.resource, id, place?.ref ?? null)
  if (place === null) takeOff(db, list, id)
  return place?.ref ?? null
}

function takeOff(db: Connection, { account, resource }: List, id: string): void {
  db.run(TAKE_OFF_ONE, account, resource, id)
}

function moveSame(db: Connection, account: string, write: SamePage): null {
  const { isFresh, known, pass, read, resource, skip, validator } = write
  const page = db.one(FIND, account, resource, skip)
  if (page === undefined || !isKnownPage(page, known)) throw readMeanwhile(account, write)
  const { ref } = page
  if (isFresh) db.run(MOVE, { ref, ...read, etag: validator.etag, pass })
  else db.run(MOVE_PASS, pass, ref)
  return null
}

function saveShown(db: Connection, account: string, write: ShownPage): Place | null {
  const { certainIdField, contentHash, ids, pass, read, resource, rows, rules, skip, validator } = write
  const list = { account, resource }
  const page = db.one(FIND, account, resource, skip)
  const before = new Set(page === undefined ? [] : members(db, list, page.ref))
  const staying = new Set(ids)
  for (const id of before) if (!staying.has(id)) takeOff(db, list, id)
  if (rows === 0) {
    if (page !== undefined) db.run(DROP, page.ref)
    return null
  }
  // Rows that joined would count as met by the pass that read the page.
  const isOpen = pass !== null
  const isWhole = isOpen || ids.every((id) => before.has(id))
  const { contentHash: digest, etag } = isWhole && validator !== null ? validator : { contentHash: null, etag: null }
  const ref = db.one(SAVE, {
    ...list,
    skip,
    rows,
    print: contentHash,
    rules,
    certainIdField,
    digest,
    etag,
    ...read,
    pass,
  })?.ref
  return ref === undefined ? null : { ref, members: before, isOpen }
}

function members(db: Connection, { account, resource }: List, ref: number): readonly string[] {
  const ids: readonly string[] = JSON.parse(db.one(MEMBERS, account, resource, ref)?.ids ?? '[]')
  return ids
}
