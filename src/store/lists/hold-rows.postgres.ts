import type { HeldKey, Judgement } from '../ports/admin-port.ts'
import type { HoldVerdict } from '../../model/hold.ts'
import { FORGOTTEN_AT_ONCE, type HoldRow, holdRowOf, judgedMeanwhile, quietPassesAfter, toHold } from './hold-rows.ts'
import type { BatchChange } from '../ports/commit-port.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { TABLES } from '../tables/tables.ts'
import type { ListDoubts, ListKey, UnprovedRecord } from '../ports/list-port.ts'

const FIND = `SELECT ${TABLES.holds.selected()} FROM holds WHERE account = :account AND resource = :resource`
const LOAD = new Query<HoldRow>(FIND)
const LOCK = new Query<HoldRow>(`${FIND} FOR NO KEY UPDATE`)
const SAVE = new Query(TABLES.holds.upsert)
const DROP = new Query('DELETE FROM holds WHERE account = :account AND resource = :resource')

const OF_LIST = new Query<UnprovedRecord>(
  'SELECT id, verdict FROM unproved WHERE account = :account AND resource = :resource ORDER BY id',
)

export async function doubtsOf(db: Pick<Transaction, 'all' | 'one'>, list: ListKey): Promise<ListDoubts> {
  const hold = await db.one(LOAD, { ...list })
  return { hold: hold === undefined ? null : toHold(hold), unproved: await db.all(OF_LIST, { ...list }) }
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
  else await tx.run(SAVE, holdRowOf(list, hold))
}

// Commits of the account wait, because other workers commit at the same time, and judge by the verdicts and misses that they read.
const HOLD_ACCOUNT = new Query('SELECT 1 FROM accounts WHERE account = :account FOR NO KEY UPDATE')
const JUDGE = new Query(`
  UPDATE holds SET verdict = :verdict, quiet_passes = :quietPasses
  WHERE account = :account AND resource = :resource AND verdict IS DISTINCT FROM 'reject'`)
const FORGET_MISSES = new Query(`
  UPDATE reads SET misses = 0
  WHERE account = :account AND resource = :resource AND id IN (
    SELECT id FROM reads WHERE account = :account AND resource = :resource AND misses > 0 LIMIT :most
  )`)

/** `AdminStore.judge`, inside the caller's transaction. */
export async function judge(
  tx: Transaction,
  { account, reason, resource }: HeldKey,
  verdict: HoldVerdict,
): Promise<Judgement> {
  const list = { account, resource }
  await tx.all(HOLD_ACCOUNT, { account })
  if (reason === 'unproved') return (await tx.run(JUDGE_UNPROVED, { ...list, verdict })) > 0 ? 'judged' : 'unheld'
  const held = await tx.one(LOCK, list)
  if (held === undefined || held.verdict === 'reject') return 'unheld'
  const most = FORGOTTEN_AT_ONCE
  if (verdict === 'reject' && (await tx.run(FORGET_MISSES, { ...list, most })) === most) return 'unfinished'
  await tx.run(JUDGE, { ...list, verdict, quietPasses: quietPassesAfter(verdict) })
  return 'judged'
}

const ADD_UNPROVED = new Query(`
  INSERT INTO unproved (account, resource, id, since)
  SELECT :account, :resource, id, :at FROM unnest(:ids::text[]) AS id ON CONFLICT DO NOTHING`)
const DROP_UNPROVED = new Query(
  'DELETE FROM unproved WHERE account = :account AND resource = :resource AND id = ANY(:ids::text[])',
)
const JUDGE_UNPROVED = new Query(`
  UPDATE unproved SET verdict = :verdict
  WHERE account = :account AND resource = :resource AND (verdict IS NULL OR verdict = 'accept')`)

/** The account is held. */
export async function saveUnproved(
  tx: Transaction,
  account: string,
  { add, at, drop, resource }: Extract<BatchChange, { readonly kind: 'unproved' }>,
): Promise<void> {
  if (drop.length > 0) await tx.run(DROP_UNPROVED, { account, resource, ids: [...drop] })
  if (add.length > 0) await tx.run(ADD_UNPROVED, { account, resource, at, ids: [...add] })
}
