import type { AttemptResult } from '../model/attempt-result.ts'
import type { Attempt, DeliveryState } from '../model/delivery.ts'
import {
  disabled,
  type EndpointDisabling,
  type EndpointRecord,
  type EndpointSwitches,
  exhausted,
  failed,
  isOpen,
  succeeded,
} from './endpoint-state.ts'

/** A row that failed when it was brought forward is not brought forward again for so long: twice as long each time. */
export const FORWARD_AGAIN_MS = 60_000
/** The wait does not double more often than that. */
const MOST_DOUBLINGS = 12

/** What an attempt moves of a row of the ledger. `wake_at`, `not_before` and `resumes_at` are instants of steady time. */
export interface SentRow {
  readonly state: DeliveryState
  readonly next_attempt_at: number | null
  readonly wake_at: number | null
  readonly finished_at: number | null
  readonly attempts: number
  /** Attempts since the row was made, released or retried by command: its place in the retry schedule. */
  readonly round: number
  readonly last_status: number | null
  readonly last_error: string | null
  /** Before then it is not brought forward. */
  readonly not_before: number | null
  /** When the retry was due of a row that was brought forward; null: it was not. */
  readonly resumes_at: number | null
}

/** A row whose attempt has ended, as it is now: `held` or `discarded` where that happened while the attempt was under way. */
export interface SendingRow extends SentRow {
  /** 1: of a test event, which says nothing about an endpoint's health. */
  readonly test: number
}

export type SendingEndpoint = EndpointSwitches & EndpointDisabling & EndpointRecord

interface Settling<Row extends SendingRow, Endpoint extends SendingEndpoint> {
  readonly row: Row
  readonly endpoint: Endpoint
  readonly attemptResult: AttemptResult
  /** Steady time shows so much more than the wall clock. */
  readonly aheadMs: number
}

/** Where a row goes after an attempt, and what the attempt says of its endpoint. */
export function settle<Row extends SendingRow, Endpoint extends SendingEndpoint>(
  settling: Settling<Row, Endpoint>,
): Pick<Settling<Row, Endpoint>, 'row' | 'endpoint'> {
  const { attemptResult, aheadMs } = settling
  const { attempt, result } = attemptResult
  const row = { ...settling.row, ...sent(settling) }
  let { endpoint } = settling
  const charges = row.test === 0 && attemptResult.unsent !== true
  if (attempt !== null && charges && attemptResult.shared !== true)
    endpoint = afterAttempt(endpoint, { attemptResult, attempt, aheadMs })
  const endedAt = attempt === null ? null : attempt.at + attempt.durationMs
  if (row.state === 'exhausted' && charges) endpoint = exhausted(endpoint, endedAt)
  if (result.kind === 'disable') endpoint = disabled(endpoint, { reason: result.reason, at: endedAt ?? 0, by: 'gone' })
  return { row, endpoint }
}

/** An endpoint after an attempt that counts for it. */
function afterAttempt<Endpoint extends EndpointRecord>(
  endpoint: Endpoint,
  made: { readonly attemptResult: AttemptResult; readonly attempt: Attempt; readonly aheadMs: number },
): Endpoint {
  const { attempt, attemptResult, aheadMs } = made
  const { at, error } = attempt
  if (attemptResult.result.kind === 'delivered') return succeeded(endpoint, at)
  const steadyAt = beganAt(attemptResult, attempt, aheadMs)
  return failed(endpoint, { at, steadyAt, error, longestGapMs: attemptResult.longestStepMs ?? 0 })
}

/** When an attempt began, in steady time. The wall clock may have been set since. */
export function beganAt({ endedAt }: AttemptResult, { at, durationMs }: Attempt, aheadMs: number): number {
  return endedAt === undefined ? at + aheadMs : endedAt - durationMs
}

/** The latest instant of steady time at which one of these results began a wait; null: none did. */
export function lastWaitBegan(attemptResults: readonly AttemptResult[], aheadMs: number): number | null {
  let latest: number | null = null
  for (const attemptResult of attemptResults) {
    const { attempt, result } = attemptResult
    if (result.kind !== 'retry' || attempt === null) continue
    latest = Math.max(latest ?? 0, beganAt(attemptResult, attempt, aheadMs) + attempt.durationMs)
  }
  return latest
}

function sent({ row, endpoint, attemptResult, aheadMs }: Settling<SendingRow, SendingEndpoint>): SentRow {
  const { attempt, result } = attemptResult
  const place = placeOf(followed(row, endpoint, result), { attempt, result, aheadMs })
  if (attempt === null) return { ...counts(row), ...place }
  const { scheduled = true } = result.kind === 'retry' ? result : {}
  return {
    attempts: row.attempts + 1,
    round: row.round + (scheduled ? 1 : 0),
    last_status: attempt.status,
    last_error: attempt.error,
    ...place,
    ...bringing(row, {
      result,
      wakeAt: place.wake_at,
      endedAt: beganAt(attemptResult, attempt, aheadMs) + attempt.durationMs,
    }),
  }
}

function counts(row: SentRow): Omit<SentRow, keyof Place> {
  const { attempts, last_error, last_status, not_before, resumes_at, round } = row
  return { attempts, last_error, last_status, not_before, resumes_at, round }
}

type Place = Pick<SentRow, 'state' | 'next_attempt_at' | 'wake_at' | 'finished_at'>
type Standing = Omit<Place, 'wake_at'>

/** The row as it is once it has followed its endpoint: held, where the endpoint is not open. A test's row follows nothing. */
function followed(row: SendingRow, endpoint: EndpointSwitches, { kind }: AttemptResult['result']): Standing {
  if (kind === 'delivered' || row.state !== 'pending' || row.test === 1 || isOpen(endpoint)) return row
  return { state: 'held', next_attempt_at: null, finished_at: row.finished_at }
}

/**
 * Where a row goes after an attempt. One that was held or discarded meanwhile stays so, unless the event has arrived: a success
 * is a success. One that a command asked for meanwhile is due again at once, even after its last retry.
 */
function placeOf(
  row: Standing,
  { attempt, result, aheadMs }: Pick<AttemptResult, 'attempt' | 'result'> & { readonly aheadMs: number },
): Place {
  const ended = {
    next_attempt_at: null,
    wake_at: null,
    finished_at: attempt === null ? null : attempt.at + attempt.durationMs,
  }
  if (result.kind === 'delivered') return { ...ended, state: 'delivered' }
  if (row.state !== 'pending' || isAskedForMeanwhile(row, { attempt, result })) return stays(row)
  switch (result.kind) {
    case 'exhausted':
      return { ...ended, state: 'exhausted' }
    case 'retry':
      return { state: 'pending', next_attempt_at: result.at - aheadMs, wake_at: result.at, finished_at: null }
    case 'disable':
      return { ...stays(row), state: 'held', next_attempt_at: null }
    case 'released':
      return stays(row)
    default:
      return result satisfies never
  }
}

function stays({ state, next_attempt_at, finished_at }: Standing): Place {
  return { state, next_attempt_at, finished_at, wake_at: null }
}

/** An instant later than the attempt shows that a command asked for the row after the attempt began. */
function isAskedForMeanwhile(row: Standing, { attempt, result }: Pick<AttemptResult, 'attempt' | 'result'>): boolean {
  const hasFailed = result.kind === 'exhausted' || result.kind === 'retry'
  return hasFailed && attempt !== null && (row.next_attempt_at ?? 0) > attempt.at
}

interface Bringing {
  readonly result: AttemptResult['result']
  readonly wakeAt: number | null
  /** When the attempt ended, in steady time. */
  readonly endedAt: number
}

/**
 * When a row may be brought forward again. An attempt outside the schedule leaves the row where it was in the schedule. An attempt
 * by the schedule does not let the row be brought forward sooner: a row with short steps would come twice as often.
 */
function bringing(row: SentRow, { endedAt, result, wakeAt }: Bringing): Pick<SentRow, 'not_before' | 'resumes_at'> {
  const { notBefore = null, scheduled = true } = result.kind === 'retry' ? result : {}
  if (!scheduled) {
    const pauseMs = FORWARD_AGAIN_MS * 2 ** Math.min(row.attempts - row.round, MOST_DOUBLINGS)
    return { not_before: Math.max(notBefore ?? 0, endedAt + pauseMs), resumes_at: row.resumes_at }
  }
  const isNotYetAgain = row.resumes_at !== null && row.not_before !== null && row.not_before > endedAt
  if (isNotYetAgain) return { not_before: Math.max(notBefore ?? 0, row.not_before), resumes_at: wakeAt }
  return { not_before: notBefore, resumes_at: null }
}

/** A row that a command asks for, with its endpoint's switches. */
export interface AskedRow extends EndpointSwitches {
  readonly state: DeliveryState
  /** 1: of a test event. */
  readonly test: number
  /** When the payload of its event expired; null: it can be sent. */
  readonly expired_at: number | null
}

/** What a command that asks for a row at `at` makes of it, beside `RETRIED`. */
interface Retried {
  readonly state: 'pending' | 'held'
  readonly next_attempt_at: number | null
}

/** What every row is then that a command asked for: at the begin of its schedule. One that is under way is due again when that ends. */
export const RETRIED = { round: 0, finished_at: null, not_before: null, resumes_at: null, wake_at: null } as const

/**
 * A row is due at once. Where its endpoint is shut, it is held and sent once that opens; a test's is due all the same. null: it is left
 * alone: it was delivered (unless those too are asked for), or its payload has expired.
 */
export function retry(
  row: AskedRow,
  { at, delivered }: { readonly at: number; readonly delivered: boolean },
): Retried | null {
  if (row.expired_at !== null || (row.state === 'delivered' && !delivered)) return null
  if (row.test === 1 || isOpen(row)) return { state: 'pending', next_attempt_at: at }
  return { state: 'held', next_attempt_at: null }
}
