import type { QuarantineWrite, RejectionSource } from '../ports/account-state-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const MOST_OF_A_RESOURCE = 50_000

const ANY = new Query<{ ref: number }>('SELECT ref FROM rejections WHERE account = ? AND resource = ? LIMIT 1')
const FIND = new Query<{ reason: string }>(
  'SELECT reason FROM rejections WHERE account = ? AND resource = ? AND via = ? AND id = ? ORDER BY ref',
)
const REMEMBER = `
  INSERT INTO rejections (account, resource, via, id, reason) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
const FORGET = 'DELETE FROM rejections WHERE account = ? AND resource = ? AND via = ? AND id = ?'
const TRIM = `
  DELETE FROM rejections WHERE account = :account AND resource = :resource AND ref <= (
    SELECT ref FROM rejections WHERE account = :account AND resource = :resource
    ORDER BY ref DESC LIMIT 1 OFFSET :most)`

/** Most resources have none. */
export function hasRejections(db: Connection, account: string, resource: string): boolean {
  return db.one(ANY, account, resource) !== undefined
}

/** Id by id, by the texts themselves, because SQLite bounds no key of an index, and a statement of it is no round trip. */
export function loadRejections(
  db: Connection,
  { account, resource, via }: RejectionSource & { readonly account: string },
  ids: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const id of ids) {
    const reasons = db.all(FIND, account, resource, via, id).map(({ reason }) => reason)
    if (reasons.length > 0) found.set(id, reasons)
  }
  return found
}

/** Runs inside the caller's write transaction. */
export function saveQuarantine(db: Connection, account: string, write: QuarantineWrite): void {
  const { resource, via, remember, forget } = write
  for (const id of forget) db.run(FORGET, account, resource, via, id)
  for (const { id, reason } of remember) db.run(REMEMBER, account, resource, via, id ?? '', reason)
  if (remember.length > 0) db.run(TRIM, { account, resource, most: MOST_OF_A_RESOURCE })
}
