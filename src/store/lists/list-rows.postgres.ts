import type { ListAudit } from '../../model/list-audit.ts'
import { type KnownListRow, LIST, listRowOf, toKnownList, UNREAD } from './list-rows.ts'
import type { KnownList, ListKey, ListState } from '../ports/list-port.ts'
import type { Transaction } from '../server/database.ts'
import { TABLES } from '../tables/tables.ts'
import { Query } from '../server/query.ts'
import type { Part } from '../server/statement-parts.ts'

type Reading = Pick<Transaction, 'one'>

const FIND = Query.frequent<KnownListRow>(`
  SELECT ${TABLES.lists.selected()}, coalesce((
    SELECT records FROM list_sizes AS size WHERE size.account = lists.account AND size.resource = lists.resource
  ), 0) AS records
  FROM lists WHERE account = :account AND resource = :resource`)
const SAVE = `list AS (${LIST.upsert})`

/** Zero values for a list that was never read. */
export async function loadList(tx: Reading, list: ListKey): Promise<KnownList> {
  const row = await tx.one(FIND, { ...list })
  return row === undefined ? UNREAD : toKnownList(row)
}

/** The list as a part of the one statement that a commit writes with, because each is a round trip. The account is held. */
export function listRow(list: ListKey, state: ListState): Part {
  return { sql: SAVE, values: { ...listRowOf(list, state) } }
}

const SAVE_CHURNING = new Query('UPDATE lists SET churning = :paths WHERE account = :account AND resource = :resource')
const SAVE_AUDIT = new Query('UPDATE lists SET audit = :audit WHERE account = :account AND resource = :resource')
const SAVE_LYING = new Query('UPDATE lists SET lying_validators = 1 WHERE account = :account AND resource = :resource')

/** The list's row exists, as it does for `saveLying` and `saveAudit`. */
export async function saveChurning(tx: Transaction, list: ListKey, paths: readonly string[]): Promise<void> {
  await tx.run(SAVE_CHURNING, { ...list, paths: JSON.stringify(paths) })
}

export async function saveLying(tx: Transaction, list: ListKey): Promise<void> {
  await tx.run(SAVE_LYING, { ...list })
}

export async function saveAudit(tx: Transaction, list: ListKey, audit: ListAudit): Promise<void> {
  await tx.run(SAVE_AUDIT, { ...list, audit: JSON.stringify(audit) })
}
