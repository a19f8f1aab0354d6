import type { HeldList, HoldVerdict } from '../../model/hold.ts'
import { unprovedHolds, type UnprovedRow } from './unproved-rows.ts'
import type { BatchChange } from '../ports/commit-port.ts'
import type { ListKey, UnprovedRecord } from '../ports/list-port.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const OF_LIST = new Query<UnprovedRecord>(
  'SELECT id, verdict FROM unproved WHERE account = :account AND resource = :resource ORDER BY id',
)
const OPEN = new Query<UnprovedRow>(`
  SELECT unproved.*, coalesce(records, 0) AS known
  FROM unproved LEFT JOIN list_sizes USING (account, resource)
  WHERE verdict IS NULL OR verdict <> 'reject' ORDER BY account, resource, id`)
const ADD = new Query(`
  INSERT INTO unproved (account, resource, id, since)
  SELECT :account, :resource, id, :at FROM unnest(:ids::text[]) AS id ON CONFLICT DO NOTHING`)
const DROP = new Query(
  'DELETE FROM unproved WHERE account = :account AND resource = :resource AND id = ANY(:ids::text[])',
)
// Commits of the account wait: they judge by the verdicts that they read.
const HOLD_ACCOUNT = new Query('SELECT 1 FROM accounts WHERE account = :account FOR NO KEY UPDATE')
const JUDGE = new Query(`
  UPDATE unproved SET verdict = :verdict
  WHERE account = :account AND resource = :resource AND (verdict IS NULL OR verdict = 'accept')`)

export async function unprovedOf(tx: Pick<Transaction, 'all'>, list: ListKey): Promise<readonly UnprovedRecord[]> {
  return await tx.all(OF_LIST, { ...list })
}

export async function openUnproved(tx: Pick<Transaction, 'all'>): Promise<readonly HeldList[]> {
  return unprovedHolds(await tx.all(OPEN))
}

/** The account is held. */
export async function saveUnproved(
  tx: Transaction,
  account: string,
  { add, at, drop, resource }: Extract<BatchChange, { readonly kind: 'unproved' }>,
): Promise<void> {
  if (drop.length > 0) await tx.run(DROP, { account, resource, ids: [...drop] })
  if (add.length > 0) await tx.run(ADD, { account, resource, at, ids: [...add] })
}

/** `AdminStore.judgeUnproved`, inside the caller's transaction. */
export async function judgeUnproved(tx: Transaction, list: ListKey, verdict: HoldVerdict): Promise<boolean> {
  await tx.all(HOLD_ACCOUNT, { account: list.account })
  return (await tx.run(JUDGE, { ...list, verdict })) > 0
}
