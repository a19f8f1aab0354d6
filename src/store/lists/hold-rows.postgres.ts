import type { HeldList, Hold } from '../../model/hold.ts'
import type { RecordResource } from '../../model/resource.ts'
import { holdRowOf, judgedMeanwhile, toHold, type HoldRow } from './hold-rows.ts'
import type { BatchChange } from '../ports/commit-port.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { HOLDS } from '../tables/tables.ts'

const FIND = 'SELECT * FROM holds WHERE account = :account AND resource = :resource'
const LOAD = new Query<HoldRow>(FIND)
const LOCK = new Query<HoldRow>(`${FIND} FOR NO KEY UPDATE`)
const OPEN = new Query<HoldRow>(`
  SELECT * FROM holds WHERE verdict IS NULL OR verdict <> 'reject' ORDER BY account, resource`)
const SAVE = new Query(HOLDS.upsert)
const DROP = new Query('DELETE FROM holds WHERE account = :account AND resource = :resource')

export async function loadHold(
  tx: Pick<Transaction, 'one'>,
  list: { readonly account: string; readonly resource: RecordResource },
): Promise<Hold | null> {
  const row = await tx.one(LOAD, { ...list })
  return row === undefined ? null : toHold(row)
}

/** Rejected holds wait to be confirmed or forgotten: nobody has to act on them. */
export async function openHolds(tx: Pick<Transaction, 'all'>): Promise<readonly HeldList[]> {
  const rows = await tx.all(OPEN)
  return rows.map((row) => ({ account: row.account, resource: row.resource, ...toHold(row) }))
}

/** The account is held. Throws `store_conflict` where a command judged the hold meanwhile. */
export async function saveHold(
  tx: Transaction,
  account: string,
  { expectedVerdict, hold, resource }: Extract<BatchChange, { readonly kind: 'hold' }>,
): Promise<void> {
  const list = { account, resource }
  if (((await tx.one(LOCK, list))?.verdict ?? null) !== expectedVerdict) throw judgedMeanwhile(account, resource)
  if (hold === null) await tx.run(DROP, list)
  else await tx.run(SAVE, { ...holdRowOf(list, hold) })
}
