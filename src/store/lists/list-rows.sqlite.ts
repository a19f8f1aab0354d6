import type { RecordResource } from '../../model/resource.ts'
import { listRowOf, toListState, UNREAD, type ListRow } from './list-rows.ts'
import type { ListState } from '../ports/list-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { LISTS } from '../tables/tables.ts'

const FIND = new Query<ListRow>('SELECT * FROM lists WHERE account = ? AND resource = ?')
const SAVE = LISTS.upsert

/** Zero values for a list that was never read. */
export function loadList(db: Connection, account: string, resource: RecordResource): ListState {
  const row = db.one(FIND, account, resource)
  return row === undefined ? UNREAD : toListState(row)
}

/** Writes the list by a statement of its own, because one of SQLite is no round trip. */
export function saveList(
  db: Connection,
  list: { readonly account: string; readonly resource: RecordResource; readonly state: ListState },
): void {
  db.run(SAVE, { ...listRowOf(list, list.state) })
}
