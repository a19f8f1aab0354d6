import { listRowOf, toListState, UNREAD, type ListRow } from './list-rows.ts'
import type { ListKey, ListState } from '../ports/list-port.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import type { Part } from '../server/together.ts'
import { LISTS } from '../tables/tables.ts'

type Reading = Pick<Transaction, 'one'>

const FIND = Query.frequent<ListRow>('SELECT * FROM lists WHERE account = :account AND resource = :resource')
const SAVE = `list AS (${LISTS.upsert})`

/** Zero values for a list that was never read. */
export async function loadList(tx: Reading, list: ListKey): Promise<ListState> {
  const row = await tx.one(FIND, { ...list })
  return row === undefined ? UNREAD : toListState(row)
}

/** The list as a part of the one statement that a commit writes with, because each is a round trip. The account is held. */
export function listRow(list: ListKey, state: ListState): Part {
  return { sql: SAVE, values: { ...listRowOf(list, state) } }
}

const CHURNING = new Query<{ churning: string }>(
  'SELECT churning FROM lists WHERE account = :account AND resource = :resource',
)
const SAVE_CHURNING = new Query('UPDATE lists SET churning = :paths WHERE account = :account AND resource = :resource')
const LYING = new Query<{ lie: number }>(
  'SELECT lying_validators AS lie FROM lists WHERE account = :account AND resource = :resource',
)
const SAVE_LYING = new Query('UPDATE lists SET lying_validators = 1 WHERE account = :account AND resource = :resource')

export async function loadChurning(tx: Reading, list: ListKey): Promise<readonly string[]> {
  return JSON.parse((await tx.one(CHURNING, { ...list }))?.churning ?? '[]')
}

/** The list's row exists, as it does for `saveLying`. */
export async function saveChurning(tx: Transaction, list: ListKey, paths: readonly string[]): Promise<void> {
  await tx.run(SAVE_CHURNING, { ...list, paths: JSON.stringify(paths) })
}

export async function loadLying(tx: Reading, list: ListKey): Promise<boolean> {
  return (await tx.one(LYING, { ...list }))?.lie === 1
}

export async function saveLying(tx: Transaction, list: ListKey): Promise<void> {
  await tx.run(SAVE_LYING, { ...list })
}
