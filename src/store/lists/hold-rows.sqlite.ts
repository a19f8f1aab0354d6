import type { HeldKey, Judgement } from '../ports/admin-port.ts'
import type { HoldVerdict } from '../../model/hold.ts'
import type { BatchChange } from '../ports/commit-port.ts'
import { FORGOTTEN_AT_ONCE, holdRowOf, judgedMeanwhile, quietPassesAfter, toHold, type HoldRow } from './hold-rows.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { TABLES } from '../tables/tables.ts'
import type { ListKey, UnprovedRecord, ListDoubts } from '../ports/list-port.ts'

const FIND = new Query<HoldRow>(`SELECT ${TABLES.holds.selected()} FROM holds WHERE account = ? AND resource = ?`)
const SAVE = TABLES.holds.upsert
const DROP = 'DELETE FROM holds WHERE account = ? AND resource = ?'
const JUDGE = `
  UPDATE holds SET verdict = :verdict, quiet_passes = :quietPasses
  WHERE account = :account AND resource = :resource AND verdict IS NOT 'reject'`
const FORGET_MISSES = `
  UPDATE reads SET misses = 0
  WHERE (account, resource, id) IN (
    SELECT account, resource, id FROM reads INDEXED BY reads_page
    WHERE account = :account AND resource = :resource AND misses > 0 LIMIT CAST(:most AS INTEGER)
  )`

const OF_LIST = new Query<UnprovedRecord>(
  'SELECT id, verdict FROM unproved WHERE account = :account AND resource = :resource ORDER BY id',
)

export function doubtsOf(db: Connection, list: ListKey): ListDoubts {
  const hold = db.one(FIND, list.account, list.resource)
  return { hold: hold === undefined ? null : toHold(hold), unproved: db.all(OF_LIST, { ...list }) }
}

/** Runs inside the caller's write transaction; throws `store_conflict` where a command judged the hold meanwhile. */
export function saveHold(
  db: Connection,
  list: { readonly account: string } & Omit<Extract<BatchChange, { readonly kind: 'hold' }>, 'kind'>,
): void {
  const { account, resource, hold, expectedVerdict } = list
  if ((db.one(FIND, account, resource)?.verdict ?? null) !== expectedVerdict) throw judgedMeanwhile(account, resource)
  if (hold === null) {
    db.run(DROP, account, resource)
    return
  }
  db.run(SAVE, holdRowOf({ account, resource }, hold))
}

/** `AdminStore.judge`, inside the caller's write transaction. Nothing is held, because SQLite has one writer at a time. */
export function judge(db: Connection, { account, reason, resource }: HeldKey, verdict: HoldVerdict): Judgement {
  const list = { account, resource }
  if (reason === 'unproved') return db.run(JUDGE_UNPROVED, { ...list, verdict }) > 0 ? 'judged' : 'unheld'
  const held = db.one(FIND, account, resource)
  if (held === undefined || held.verdict === 'reject') return 'unheld'
  const most = FORGOTTEN_AT_ONCE
  if (verdict === 'reject' && db.run(FORGET_MISSES, { ...list, most }) === most) return 'unfinished'
  db.run(JUDGE, { ...list, verdict, quietPasses: quietPassesAfter(verdict) })
  return 'judged'
}

const ADD_UNPROVED = 'INSERT INTO unproved (account, resource, id, since) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
const DROP_UNPROVED = 'DELETE FROM unproved WHERE account = ? AND resource = ? AND id = ?'
const JUDGE_UNPROVED = `
  UPDATE unproved SET verdict = :verdict
  WHERE account = :account AND resource = :resource AND (verdict IS NULL OR verdict = 'accept')`

/** Runs inside the caller's write transaction. */
export function saveUnproved(
  db: Connection,
  account: string,
  { add, at, drop, resource }: Extract<BatchChange, { readonly kind: 'unproved' }>,
): void {
  for (const id of drop) db.run(DROP_UNPROVED, account, resource, id)
  for (const id of add) db.run(ADD_UNPROVED, account, resource, id, at)
}
