import type { AttemptResult } from '../../model/attempt-result.ts'
import type { Attempt } from '../../model/delivery.ts'
import { beganAt, lastWaitBegan, type SendingRow, type SentRow, settle } from '../../ledger/settle.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { EndpointRecords } from '../endpoints/endpoint-record.sqlite.ts'
import { TABLES } from '../tables/tables.ts'
import { boundSql, SENT } from './set-columns.ts'
import { unsettle } from '../endpoints/endpoint-store.sqlite.ts'
import { loadSteady, saveCooldown, waitsBegan } from '../accounts/wait-rows.sqlite.ts'
import type { OpenClaim, OpenClaims } from './open-claims.sqlite.ts'

// Rows that ended are dropped some day (`ledger-end.sqlite.ts`), and their `ref` is another's then.
const FIND = new Query<SentRow>(`SELECT ${SENT.names} FROM deliveries WHERE ref = ? AND id = ?`)
const SAVE = `UPDATE deliveries SET ${boundSql(SENT)} WHERE ref = :ref`
/**
 * What `settle` says of a row that was delivered, as most are, whatever the row is meanwhile. To find it first, and to bind values by
 * name, takes half as long again. `settle.test.ts` holds both equal.
 */
export const DELIVERED = `
  UPDATE deliveries SET attempts = attempts + 1, round = round + 1, last_status = ?, last_error = ?,
    not_before = CASE WHEN resumes_at IS NOT NULL AND not_before > ? THEN max(0, not_before) END, resumes_at = NULL,
    state = 'delivered', next_attempt_at = NULL, wake_at = NULL, finished_at = ?
  WHERE ref = ? AND id = ?`
const KEEP = 'UPDATE deliveries SET progress = ? WHERE ref = ? AND id = ?'
const LOG = TABLES.attempts.without('ref').insert

/**
 * Writes outcomes in their order. Where `owner` no longer holds the row, only a cooldown is written. Each row by itself, because a
 * statement of SQLite is no round trip; claims end in memory, once it is committed.
 */
export async function settleDeliveries(
  { db, claims }: { readonly db: Connection; readonly claims: OpenClaims },
  owner: string,
  attemptResults: readonly AttemptResult[],
): Promise<void> {
  const held = new Map<string, OpenClaim>()
  for (const { id } of attemptResults) {
    const claim = claims.heldBy(owner, id)
    if (claim !== null) held.set(id, claim)
  }
  await db.write(
    () => writeResults(db, attemptResults, new Map(held)),
    () => claims.end(held.values()),
  )
}

/** Takes from `held` what it has written. */
function writeResults(db: Connection, attemptResults: readonly AttemptResult[], held: Map<string, OpenClaim>): void {
  const { aheadMs } = loadSteady(db)
  const endpoints = new EndpointRecords(db)
  for (const attemptResult of attemptResults) {
    const { id, attempt, cooldown, progress, result } = attemptResult
    if (cooldown !== undefined)
      saveCooldown(db, cooldown, attempt === null ? 0 : beganAt(attemptResult, attempt, aheadMs))
    const claim = held.get(id)
    if (claim === undefined) continue
    held.delete(id)
    if (progress !== undefined) db.run(KEEP, progress, claim.ref, id)
    if (attempt !== null && result.kind === 'delivered')
      settleDelivered(db, claim, { attempt, attemptResult, endpoints, aheadMs })
    else settleRow(db, claim, { attemptResult, endpoints, aheadMs })
  }
  const latest = lastWaitBegan(attemptResults, aheadMs)
  if (latest !== null) waitsBegan(db, latest)
  endpoints.write()
}

interface Settling {
  readonly attemptResult: AttemptResult
  readonly endpoints: EndpointRecords
  readonly aheadMs: number
}

function settleDelivered(
  db: Connection,
  { id, ref, subscription, test }: OpenClaim,
  { attempt, attemptResult, endpoints, aheadMs }: Settling & { readonly attempt: Attempt },
): void {
  const { at, durationMs, status, error } = attempt
  const endedAt = beganAt(attemptResult, attempt, aheadMs) + durationMs
  if (db.run(DELIVERED, status, error, endedAt, at + durationMs, ref, id) === 0) return
  logAttempt(db, ref, attempt)
  if (test === 1 || attemptResult.shared === true) return
  endpoints.succeeded(subscription, at)
}

function settleRow(db: Connection, claim: OpenClaim, { attemptResult, endpoints, aheadMs }: Settling): void {
  const { ref, subscription } = claim
  const row = rowOf(db, claim)
  if (row === null) return
  const before = endpoints.of(subscription)
  const settled = settle({ row, endpoint: before, attemptResult, aheadMs })
  if (attemptResult.attempt !== null) logAttempt(db, ref, attemptResult.attempt)
  db.run(SAVE, { ...settled.row, ref })
  if (settled.endpoint !== before) endpoints.set(settled.endpoint)
  const { disabled_at: at } = settled.endpoint
  if (before.disabled_at !== null || at === null) return
  endpoints.write()
  unsettle(db, subscription, at)
}

function logAttempt(db: Connection, ref: number, { answer, at, durationMs, error, status }: Attempt): void {
  db.run(LOG, ref, at, durationMs, status, error, answer)
}

/**
 * The row as it is now; null: it is gone. An instant that it had already when it was claimed, of a clock that was ahead, is no later
 * than the attempt: that row was due then. PostgreSQL writes so where it claims a row; here a claim writes nothing.
 */
function rowOf(db: Connection, { at, id, next_attempt_at: dueAt, ref, test }: OpenClaim): SendingRow | null {
  const row = db.one(FIND, ref, id)
  if (row === undefined) return null
  const isAsBefore = row.next_attempt_at === dueAt && dueAt !== null
  return { ...row, test, next_attempt_at: isAsBefore ? Math.min(dueAt, at) : row.next_attempt_at }
}
