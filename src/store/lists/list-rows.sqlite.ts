import type { ListAudit } from '../../model/list-audit.ts'
import type { RecordResource } from '../../model/resource.ts'
import { LIST, listRowOf, toKnownList, UNREAD, type KnownListRow } from './list-rows.ts'
import type { KnownList, ListKey, ListState } from '../ports/list-port.ts'
import type { Connection } from '../file/connection.ts'
import { TABLES } from '../tables/tables.ts'
import { Query } from '../file/query.ts'
import type { ListOverview } from '../ports/query-port.ts'

const FIND = new Query<KnownListRow>(`
  SELECT ${TABLES.lists.selected()}, ifnull((
    SELECT records FROM list_sizes AS size WHERE size.account = lists.account AND size.resource = lists.resource
  ), 0) AS records
  FROM lists WHERE account = ? AND resource = ?`)
const SAVE = LIST.upsert

/** Zero values for a list that was never read. */
export function loadList(db: Connection, account: string, resource: RecordResource): KnownList {
  const row = db.one(FIND, account, resource)
  return row === undefined ? UNREAD : toKnownList(row)
}

/** Writes the list by a statement of its own, because one of SQLite is no round trip. */
export function saveList(
  db: Connection,
  list: { readonly account: string; readonly resource: RecordResource; readonly state: ListState },
): void {
  db.run(SAVE, { ...listRowOf(list, list.state) })
}

const SAVE_CHURNING = 'UPDATE lists SET churning = ? WHERE account = ? AND resource = ?'
const SAVE_AUDIT = 'UPDATE lists SET audit = ? WHERE account = ? AND resource = ?'
const SAVE_LYING = 'UPDATE lists SET lying_validators = 1 WHERE account = ? AND resource = ?'

/** Runs inside the caller's write transaction; the list's row exists, as it does for `saveLying` and `saveAudit`. */
export function saveChurning(db: Connection, { account, resource }: ListKey, paths: readonly string[]): void {
  db.run(SAVE_CHURNING, JSON.stringify(paths), account, resource)
}

export function saveLying(db: Connection, { account, resource }: ListKey): void {
  db.run(SAVE_LYING, account, resource)
}

export function saveAudit(db: Connection, { account, resource }: ListKey, audit: ListAudit): void {
  db.run(SAVE_AUDIT, JSON.stringify(audit), account, resource)
}

const SIZE = new Query<{ records: number }>('SELECT records FROM list_sizes WHERE account = ? AND resource = ?')
const PAGES = 'SELECT ref, answered_at AS at FROM pages WHERE account = ? AND resource = ? ORDER BY answered_at'
/** Mostly the first page holds a record: only where none of a few does, all are looked at. */
const FEW_PAGES = 8
const BY_READ = [PAGES, `${PAGES} DESC`].map((pages) => ({
  few: new Query<ReadPage>(`${pages} LIMIT ${FEW_PAGES}`),
  all: new Query<ReadPage>(pages),
}))
const HOLDS_ANY = new Query(`
  SELECT 1 FROM reads INDEXED BY reads_page
  WHERE account = ? AND resource = ? AND page = ? AND misses IS NOT NULL LIMIT 1`)
const ALONE = `
  SELECT answered_at AS at FROM reads INDEXED BY reads_alone
  WHERE account = ? AND resource = ? AND page IS NULL AND misses IS NOT NULL`
const OLDEST_ALONE = new Query<{ at: number }>(`${ALONE} ORDER BY answered_at LIMIT 1`)
const NEWEST_ALONE = new Query<{ at: number }>(`${ALONE} ORDER BY answered_at DESC LIMIT 1`)

interface ReadPage {
  readonly ref: number
  readonly at: number
}

/** How many records a list has, and when they were read: by their pages, or one by one. */
export function listReads(
  db: Connection,
  list: ListKey,
): Pick<ListOverview, 'records' | 'oldestReadAt' | 'newestReadAt'> {
  const { account, resource } = list
  const holdsAny = ({ ref }: ReadPage): boolean => db.one(HOLDS_ANY, account, resource, ref) !== undefined
  const [first, last] = BY_READ.map(({ all, few }) => {
    const found = db.all(few, account, resource)
    return (
      found.find(holdsAny)?.at ??
      (found.length < FEW_PAGES ? undefined : db.all(all, account, resource).find(holdsAny)?.at)
    )
  })
  const oldest = [first, db.one(OLDEST_ALONE, account, resource)?.at]
  const newest = [last, db.one(NEWEST_ALONE, account, resource)?.at]
  return {
    records: db.one(SIZE, account, resource)?.records ?? 0,
    oldestReadAt: one(oldest, Math.min),
    newestReadAt: one(newest, Math.max),
  }
}

function one(
  instants: readonly (number | undefined)[],
  choose: (...instants: readonly number[]) => number,
): number | null {
  const known = instants.filter((at) => at !== undefined)
  return known.length === 0 ? null : choose(...known)
}
