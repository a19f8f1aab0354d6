import { QUIET_PASSES_AFTER_REJECTION, type HeldList, type Hold, type HoldVerdict } from '../../model/hold.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { BatchChange } from '../ports/commit-port.ts'
import { holdRowOf, judgedMeanwhile, toHold, type HoldRow } from './hold-rows.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { HOLDS } from '../tables/tables.ts'

const FIND = new Query<HoldRow>('SELECT * FROM holds WHERE account = ? AND resource = ?')
const OPEN = new Query<HoldRow>(`
  SELECT * FROM holds WHERE verdict IS NULL OR verdict <> 'reject' ORDER BY account, resource`)
const SAVE = HOLDS.upsert
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
const FORGOTTEN_AT_ONCE = 500

export function loadHold(db: Connection, account: string, resource: RecordResource): Hold | null {
  const row = db.one(FIND, account, resource)
  return row === undefined ? null : toHold(row)
}

/** Rejected holds wait to be confirmed or forgotten: nobody has to act on them. */
export function openHolds(db: Connection): readonly HeldList[] {
  return db.all(OPEN).map((row) => ({ account: row.account, resource: row.resource, ...toHold(row) }))
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
  db.run(SAVE, { ...holdRowOf({ account, resource }, hold) })
}

/** `AdminStore.forgetMisses`, inside the caller's write transaction. */
export function forgetMisses(db: Connection, account: string, resource: RecordResource): boolean {
  return db.run(FORGET_MISSES, { account, resource, most: FORGOTTEN_AT_ONCE }) < FORGOTTEN_AT_ONCE
}

/** `AdminStore.judgeHold`, inside the caller's write transaction. */
export function judgeHold(
  db: Connection,
  { account, resource }: { readonly account: string; readonly resource: RecordResource },
  verdict: HoldVerdict,
): boolean {
  const quietPasses = verdict === 'reject' ? QUIET_PASSES_AFTER_REJECTION : 0
  if (db.run(JUDGE, { account, resource, verdict, quietPasses }) === 0) return false
  if (verdict === 'reject') db.run(FORGET_MISSES, { account, resource, most: Number.MAX_SAFE_INTEGER })
  return true
}
