import type { HeldList, HoldVerdict } from '../../model/hold.ts'
import { unprovedHolds, type UnprovedRow } from './unproved-rows.ts'
import type { BatchChange } from '../ports/commit-port.ts'
import type { ListKey, UnprovedRecord } from '../ports/list-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const OF_LIST = new Query<UnprovedRecord>(
  'SELECT id, verdict FROM unproved WHERE account = :account AND resource = :resource ORDER BY id',
)
const OPEN = new Query<UnprovedRow>(`
  SELECT unproved.*, ifnull(records, 0) AS known
  FROM unproved LEFT JOIN list_sizes USING (account, resource)
  WHERE verdict IS NULL OR verdict <> 'reject' ORDER BY account, resource, id`)
const ADD = 'INSERT INTO unproved (account, resource, id, since) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
const DROP = 'DELETE FROM unproved WHERE account = ? AND resource = ? AND id = ?'
const JUDGE = `
  UPDATE unproved SET verdict = :verdict
  WHERE account = :account AND resource = :resource AND (verdict IS NULL OR verdict = 'accept')`

export function unprovedOf(db: Connection, list: ListKey): readonly UnprovedRecord[] {
  return db.all(OF_LIST, { ...list })
}

export function openUnproved(db: Connection): readonly HeldList[] {
  return unprovedHolds(db.all(OPEN))
}

/** Runs inside the caller's write transaction. */
export function saveUnproved(
  db: Connection,
  account: string,
  { add, at, drop, resource }: Extract<BatchChange, { readonly kind: 'unproved' }>,
): void {
  for (const id of drop) db.run(DROP, account, resource, id)
  for (const id of add) db.run(ADD, account, resource, id, at)
}

/** `AdminStore.judgeUnproved`, inside the caller's write transaction. */
export function judgeUnproved(db: Connection, list: ListKey, verdict: HoldVerdict): boolean {
  return db.run(JUDGE, { ...list, verdict }) > 0
}
