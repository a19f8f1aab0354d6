import { QUIET_PASSES_AFTER_REJECTION, type HoldVerdict } from '../../model/hold.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const FORGOTTEN_AT_ONCE = 500

// Commits of the account wait: they judge by the verdict and by the misses that they read.
const HOLD_ACCOUNT = new Query('SELECT 1 FROM accounts WHERE account = :account FOR NO KEY UPDATE')
const JUDGE = new Query(`
  UPDATE holds SET verdict = :verdict, quiet_passes = :quietPasses
  WHERE account = :account AND resource = :resource AND verdict IS DISTINCT FROM 'reject'`)
const FORGET_MISSES = new Query(`
  UPDATE reads SET misses = 0
  WHERE account = :account AND resource = :resource AND id IN (
    SELECT id FROM reads WHERE account = :account AND resource = :resource AND misses > 0 LIMIT :most
  )`)

/** `AdminStore.forgetMisses`, inside the caller's transaction. */
export async function forgetMisses(tx: Transaction, account: string, resource: RecordResource): Promise<boolean> {
  await tx.all(HOLD_ACCOUNT, { account })
  return (await tx.run(FORGET_MISSES, { account, resource, most: FORGOTTEN_AT_ONCE })) < FORGOTTEN_AT_ONCE
}

/** `AdminStore.judgeHold`, likewise. */
export async function judgeHold(
  tx: Transaction,
  { account, resource }: { readonly account: string; readonly resource: RecordResource },
  verdict: HoldVerdict,
): Promise<boolean> {
  await tx.all(HOLD_ACCOUNT, { account })
  const quietPasses = verdict === 'reject' ? QUIET_PASSES_AFTER_REJECTION : 0
  if ((await tx.run(JUDGE, { account, resource, verdict, quietPasses })) === 0) return false
  if (verdict === 'reject') await tx.run(FORGET_MISSES, { account, resource, most: null })
  return true
}
