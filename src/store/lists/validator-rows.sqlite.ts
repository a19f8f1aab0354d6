import type { RecordResource } from '../../model/resource.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const FIND = new Query<{ lie: number }>('SELECT lying_validators AS lie FROM lists WHERE account = ? AND resource = ?')
const SAVE = 'UPDATE lists SET lying_validators = 1 WHERE account = ? AND resource = ?'

export function loadLying(db: Connection, account: string, resource: RecordResource): boolean {
  return db.one(FIND, account, resource)?.lie === 1
}

/** Runs inside the caller's write transaction; the list's row exists. */
export function saveLying(db: Connection, account: string, resource: RecordResource): void {
  db.run(SAVE, account, resource)
}
