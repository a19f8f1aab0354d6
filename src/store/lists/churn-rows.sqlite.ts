import type { RecordResource } from '../../model/resource.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const FIND = new Query<{ churning: string }>('SELECT churning FROM lists WHERE account = ? AND resource = ?')
const SAVE = 'UPDATE lists SET churning = ? WHERE account = ? AND resource = ?'

export function loadChurning(db: Connection, account: string, resource: RecordResource): readonly string[] {
  return JSON.parse(db.one(FIND, account, resource)?.churning ?? '[]')
}

/** Runs inside the caller's write transaction; the list's row exists. */
export function saveChurning(
  db: Connection,
  account: string,
  { resource, paths }: { readonly resource: RecordResource; readonly paths: readonly string[] },
): void {
  db.run(SAVE, JSON.stringify(paths), account, resource)
}
