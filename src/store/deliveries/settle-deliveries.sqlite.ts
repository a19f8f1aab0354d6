import type { Attempt, DeliveryState } from '../../model/delivery.ts'
import type { AttemptResult } from '../ports/delivery-port.ts'
import type { Claim, OpenClaims, OpenClaim } from './open-claims.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { isOpen, shut } from '../endpoints/endpoint-store.sqlite.ts'
import { EndpointRecord } from '../endpoints/endpoint-record.sqlite.ts'
import { Query } from '../file/query.ts'
import { loadSteady, saveCooldown, waitsBegan } from '../accounts/wait-rows.sqlite.ts'

interface ClaimedRow extends Pick<Claim, 'ref' | 'subscription' | 'test'> {
  /** `held` and `discarded` where that happened while the attempt was under way. */
  readonly state: 'pending' | 'held' | 'discarded'
  readonly next_attempt_at: number | null
  readonly finished_at: number | null
}

// Rows that ended are dropped some day (`ledger-end.ts`), and their `ref` is another's then.
const FIND = new Query<Pick<ClaimedRow, 'state' | 'next_attempt_at' | 'finished_at'>>(
  'SELECT state, next_attempt_at, finished_at FROM deliveries WHERE ref = ? AND id = ?',
)
const PLACE = 'state = :state, next_attempt_at = :nextAttemptAt, wake_at = :wakeAt, finished_at = :finishedAt'
const SAVE = `UPDATE deliveries SET ${PLACE} WHERE ref = :ref`
/** For so long a row that failed when it was brought forward is not brought forward again: twice as long each time. */
const FORWARD_AGAIN_MS = 60_000
const IS_NOT_YET_AGAIN = 'resumes_at IS NOT NULL AND not_before > :endedAt'
// An attempt outside the schedule leaves the row where it was in the schedule. An attempt by the schedule does not let the row
// be brought forward sooner: a row with short steps would come twice as often.
const COUNT_AND_SAVE = `
  UPDATE deliveries SET attempts = attempts + 1, round = round + :scheduled, last_status = :status, last_error = :error,
    not_before = CASE WHEN :scheduled = 0
        THEN max(ifnull(:notBefore, 0), :endedAt + ${FORWARD_AGAIN_MS} * (1 << min(attempts - round, 12)))
      WHEN ${IS_NOT_YET_AGAIN} THEN max(ifnull(:notBefore, 0), not_before)
      ELSE :notBefore END,
    resumes_at = CASE WHEN :scheduled = 0 THEN resumes_at WHEN ${IS_NOT_YET_AGAIN} THEN :wakeAt END, ${PLACE}
  WHERE ref = :ref`
// The same of a row that was delivered, as most are: whatever it was meanwhile, a success is a success. To find it first, and to bind
// values by name, takes half as long again.
const DELIVERED = `
  UPDATE deliveries SET attempts = attempts + 1, round = round + 1, last_status = ?, last_error = ?,
    not_before = CASE WHEN resumes_at IS NOT NULL AND not_before > ? THEN max(0, not_before) END, resumes_at = NULL,
    state = 'delivered', next_attempt_at = NULL, wake_at = NULL, finished_at = ?
  WHERE ref = ? AND id = ?`
const KEEP = 'UPDATE deliveries SET progress = ? WHERE ref = ? AND id = ?'
const LOG = 'INSERT INTO attempts (delivery, at, duration_ms, status, error, answer) VALUES (?, ?, ?, ?, ?, ?)'

/** Writes outcomes in their order. Where `owner` no longer holds the row, only a cooldown is written. */
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
  const endpoints = new EndpointRecord(db)
  for (const attemptResult of attemptResults) {
    const { id, attempt, cooldown, result } = attemptResult
    if (cooldown !== undefined)
      saveCooldown(db, cooldown, attempt === null ? 0 : beganAt(attemptResult, attempt, aheadMs))
    const claim = held.get(id)
    if (claim === undefined) continue
    held.delete(id)
    if (attemptResult.progress !== undefined) db.run(KEEP, attemptResult.progress, claim.ref, id)
    if (attempt !== null && result.kind === 'delivered') {
      settleDelivered(db, claim, { attempt, attemptResult, endpoints, aheadMs })
      continue
    }
    const row = rowOf(db, claim)
    if (row !== null) settleRow(db, { row: followed(db, row, attemptResult), attemptResult, endpoints, aheadMs })
  }
  const begun = attemptResults.flatMap((attemptResult) => {
    const { attempt, result } = attemptResult
    if (result.kind !== 'retry' || attempt === null) return []
    return beganAt(attemptResult, attempt, aheadMs) + attempt.durationMs
  })
  if (begun.length > 0)
    waitsBegan(
      db,
      begun.reduce((latest, at) => Math.max(latest, at)),
    )
  endpoints.write()
}

/**
 * The row as it is now; null: it is gone. An instant later than the attempt shows that a command asked for the row meanwhile. One that
 * it had already, of a clock that was ahead, does not: that row was due when it was claimed.
 */
function rowOf(
  db: Connection,
  { at, id, next_attempt_at: dueAt, ref, subscription, test }: OpenClaim,
): ClaimedRow | null {
  const row = db.one(FIND, ref, id)
  if (row === undefined) return null
  const isAsBefore = row.next_attempt_at === dueAt && dueAt !== null
  return { ...row, ref, subscription, test, next_attempt_at: isAsBefore ? Math.min(dueAt, at) : row.next_attempt_at }
}

/** In steady time. The wall clock may have been set since. */
function beganAt({ endedAt }: AttemptResult, { at, durationMs }: Attempt, aheadMs: number): number {
  return endedAt === undefined ? at + aheadMs : endedAt - durationMs
}

interface SettlingDelivered extends Pick<Settling, 'endpoints' | 'aheadMs'> {
  readonly attemptResult: AttemptResult
  readonly attempt: Attempt
}

function settleDelivered(
  db: Connection,
  { id, ref, subscription, test }: OpenClaim,
  { attempt, attemptResult, endpoints, aheadMs }: SettlingDelivered,
): void {
  const { at, durationMs, status, error, answer } = attempt
  const endedAt = beganAt(attemptResult, attempt, aheadMs) + durationMs
  if (db.run(DELIVERED, status, error, endedAt, at + durationMs, ref, id) === 0) return
  db.run(LOG, ref, at, durationMs, status, error, answer)
  if (test === 0 && attemptResult.shared !== true) endpoints.succeeded(subscription, attempt)
}

/** The row as it is once it has followed its endpoint: held, where the endpoint is not open. */
function followed(db: Connection, row: ClaimedRow, { result }: AttemptResult): ClaimedRow {
  if (result.kind === 'delivered' || row.state !== 'pending' || row.test === 1) return row
  return isOpen(db, row.subscription) ? row : { ...row, state: 'held', next_attempt_at: null }
}

interface Settling {
  readonly row: ClaimedRow
  readonly attemptResult: AttemptResult
  readonly endpoints: EndpointRecord
  readonly aheadMs: number
}

function settleRow(db: Connection, { row, attemptResult, endpoints, aheadMs }: Settling): void {
  const { attempt, result } = attemptResult
  const endedAt = attempt === null ? null : attempt.at + attempt.durationMs
  const isAskedFor = isRetriedMeanwhile(row, { attempt, result })
  const place = isAskedFor ? stays(row) : placeOf(row, result, { endedAt, aheadMs })
  save(db, row, { place, attemptResult, aheadMs })
  const { subscription } = row
  if (attempt !== null && row.test === 0 && attemptResult.shared !== true) {
    const steadyAt = beganAt(attemptResult, attempt, aheadMs)
    endpoints.failed(subscription, attempt, { steadyAt, longest: attemptResult.longestStepMs ?? 0 })
  }
  if (place.state === 'exhausted' && row.test === 0) endpoints.exhausted(subscription, endedAt)
  if (result.kind === 'disable') {
    shut(db, { subscription, reason: result.reason, at: endedAt ?? row.next_attempt_at ?? 0, by: 'gone' })
  }
}

function save(
  db: Connection,
  { ref }: ClaimedRow,
  { place, attemptResult, aheadMs }: { place: Place; attemptResult: AttemptResult; aheadMs: number },
): void {
  const { attempt, result } = attemptResult
  if (attempt === null) {
    db.run(SAVE, { ref, ...place })
    return
  }
  const { at, durationMs, status, error, answer } = attempt
  db.run(LOG, ref, at, durationMs, status, error, answer)
  const { scheduled = true, notBefore = null } = result.kind === 'retry' ? result : {}
  const endedAt = beganAt(attemptResult, attempt, aheadMs) + durationMs
  db.run(COUNT_AND_SAVE, { ref, status, error, scheduled: scheduled ? 1 : 0, notBefore, endedAt, ...place })
}

interface Place {
  readonly state: DeliveryState
  readonly nextAttemptAt: number | null
  readonly wakeAt: number | null
  readonly finishedAt: number | null
}

/**
 * Where a row goes after an attempt. One that was held or discarded meanwhile stays so, unless the event has arrived: a
 * success is a success.
 */
function placeOf(
  row: ClaimedRow,
  result: AttemptResult['result'],
  { endedAt, aheadMs }: { readonly endedAt: number | null; readonly aheadMs: number },
): Place {
  const ended = { nextAttemptAt: null, wakeAt: null, finishedAt: endedAt }
  if (result.kind === 'delivered') return { ...ended, state: 'delivered' }
  const { state } = row
  if (state !== 'pending') return stays(row)
  switch (result.kind) {
    case 'exhausted':
      return { ...ended, state: 'exhausted' }
    case 'retry':
      return { state, nextAttemptAt: result.at - aheadMs, wakeAt: result.at, finishedAt: null }
    case 'disable':
      return { ...stays(row), state: 'held', nextAttemptAt: null }
    case 'released':
      return stays(row)
    default:
      return result satisfies never
  }
}

function stays({ state, next_attempt_at: nextAttemptAt, finished_at: finishedAt }: ClaimedRow): Place {
  return { state, nextAttemptAt, finishedAt, wakeAt: null }
}

/** Whether a command asked for the row after the attempt began. If the attempt failed, the row is due again at once, even after its last retry. */
function isRetriedMeanwhile(row: ClaimedRow, { attempt, result }: Pick<AttemptResult, 'attempt' | 'result'>): boolean {
  const failed = result.kind === 'exhausted' || result.kind === 'retry'
  return failed && row.state === 'pending' && attempt !== null && (row.next_attempt_at ?? 0) > attempt.at
}
