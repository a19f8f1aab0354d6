import type { Attempt, DeliveryState } from '../../model/delivery.ts'
import type { Settlement } from '../ports.ts'
import type { Connection } from './connection.ts'
import { shut } from './endpoint-gate.ts'
import { Query } from './query.ts'
import { saveRest } from './rest-rows.ts'

interface ClaimedRow {
  readonly ref: number
  readonly subscription: string
  /** `held` and `discarded` where that happened while the attempt was under way. */
  readonly state: 'pending' | 'held' | 'discarded'
  readonly next_attempt_at: number | null
  readonly finished_at: number | null
  /** A test says nothing about the health of an endpoint: neither its success nor its failure is counted, nor its 410. */
  readonly test: number
}

const FIND = new Query<ClaimedRow>(
  'SELECT ref, subscription, state, next_attempt_at, finished_at, test FROM deliveries WHERE id = ? AND claimed_by = ?',
)
const SAVE = `
  UPDATE deliveries SET state = :state, next_attempt_at = :nextAttemptAt, wake_at = :wakeAt, finished_at = :finishedAt,
    claimed_by = NULL
  WHERE ref = :ref`
const COUNT = `
  UPDATE deliveries SET attempts = attempts + 1, round = round + 1, last_status = :status, last_error = :error
  WHERE ref = :ref`
const LOG = `
  INSERT INTO attempts (delivery, at, duration_ms, status, error, answer)
  VALUES (:ref, :at, :durationMs, :status, :error, :answer)`
const SUCCEEDED = `
  UPDATE endpoints SET failures_in_row = 0, failing_since = NULL, exhausted_since = NULL, last_error = NULL, last_success_at = :at
  WHERE subscription = :subscription`
// Attempts under way at once may end in another order than they began.
const FAILED = `
  UPDATE endpoints SET failures_in_row = failures_in_row + 1, failing_since = min(ifnull(failing_since, :at), :at),
    last_failure_at = max(ifnull(last_failure_at, :at), :at), last_error = ifnull(:error, '')
  WHERE subscription = :subscription`
const EXHAUSTED =
  'UPDATE endpoints SET exhausted_since = ifnull(exhausted_since, :at) WHERE subscription = :subscription'

/** Writes one outcome, inside the caller's write transaction; nothing but a rest where `owner` no longer holds the row. */
export function settleDelivery(db: Connection, owner: string, settlement: Settlement): void {
  const { id, attempt, result, shared = false, rest } = settlement
  if (rest !== undefined) saveRest(db, rest, attempt?.at ?? 0)
  const row = db.one(FIND, id, owner)
  if (row === undefined) return
  if (attempt !== null) recordAttempt(db, { row, attempt, succeeded: result.kind === 'delivered', shared })
  const endedAt = attempt === null ? null : attempt.at + attempt.durationMs
  const place = isRetriedMeanwhile(row, { attempt, result }) ? stays(row) : placeOf(row, result, endedAt)
  db.run(SAVE, { ref: row.ref, ...place })
  const { subscription } = row
  if (place.state === 'exhausted' && row.test === 0) db.run(EXHAUSTED, { subscription, at: endedAt })
  if (result.kind === 'disable') {
    shut(db, { subscription, reason: result.reason, at: endedAt ?? row.next_attempt_at ?? 0, by: 'gone' })
  }
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
function placeOf(row: ClaimedRow, result: Settlement['result'], endedAt: number | null): Place {
  const ended = { nextAttemptAt: null, wakeAt: null, finishedAt: endedAt }
  if (result.kind === 'delivered') return { ...ended, state: 'delivered' }
  const { state } = row
  if (state !== 'pending') return stays(row)
  switch (result.kind) {
    case 'exhausted':
      return { ...ended, state: 'exhausted' }
    case 'retry':
      return { state, nextAttemptAt: result.at, wakeAt: result.at, finishedAt: null }
    case 'released':
    case 'disable':
      return stays(row)
    default:
      return result satisfies never
  }
}

function stays({ state, next_attempt_at: nextAttemptAt, finished_at: finishedAt }: ClaimedRow): Place {
  return { state, nextAttemptAt, finishedAt, wakeAt: null }
}

/** Asked for by command after the attempt began: where that failed, the row is due again at once, though it was its last. */
function isRetriedMeanwhile(row: ClaimedRow, { attempt, result }: Pick<Settlement, 'attempt' | 'result'>): boolean {
  const failed = result.kind === 'exhausted' || result.kind === 'retry'
  return failed && row.state === 'pending' && attempt !== null && (row.next_attempt_at ?? 0) > attempt.at
}

function recordAttempt(
  db: Connection,
  { row, attempt, succeeded, shared }: { row: ClaimedRow; attempt: Attempt; succeeded: boolean; shared: boolean },
): void {
  const { at, durationMs, status, error, answer } = attempt
  db.run(LOG, { ref: row.ref, at, durationMs, status, error, answer })
  db.run(COUNT, { ref: row.ref, status, error })
  const { subscription } = row
  if (row.test === 1 || shared) return
  if (succeeded) db.run(SUCCEEDED, { at, subscription })
  else db.run(FAILED, { at, subscription, error })
}
