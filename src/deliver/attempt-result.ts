import type { Attempt } from '../model/delivery.ts'
import { nextRetry } from '../plan/retry-schedule.ts'
import type { AttemptResult, Cooldown } from '../model/attempt-result.ts'
import type { ClaimedDelivery } from '../store/ports/delivery-port.ts'
import type { SendOutcome } from './channels/channel.ts'
import type { Batch } from './batches.ts'

export interface EndedAttempt {
  /** A batch is repeated together, by the schedule of its first delivery. */
  readonly batch: Batch
  readonly outcome: SendOutcome
  /** When the attempt began, by the wall clock. */
  readonly at: number
  readonly durationMs: number
  /** When the attempt ended, in steady time. */
  readonly now: number
  readonly retryMs: readonly number[]
  /** Jitter, in [0, 1). */
  readonly random: number
}

/** What an attempt comes to: for each of its deliveries, for the endpoint and for the address. */
export interface AttemptOutcome {
  /** What is written to the ledger, and what happens to each delivery next. */
  readonly results: readonly (readonly [ClaimedDelivery, AttemptResult])[]
  /** Whether the endpoint takes events; null: the attempt does not say. */
  readonly delivered: boolean | null
  readonly cooldown: Cooldown | null
  /** When the first of the deliveries is due again. */
  readonly repeatAt: number | null
}

const DELIVERED = { kind: 'delivered' } as const
const EXHAUSTED = { kind: 'exhausted' } as const

export function whatComesOf(ended: EndedAttempt): AttemptOutcome {
  const [first, ...rest] = (ended.outcome.parts ?? [ended]).map((part) => whatComesOfPart({ ...ended, ...part }))
  return first === undefined ? whatComesOfPart(ended) : rest.reduce(together, first)
}

/** A part that was taken shows that the endpoint takes events. */
function together(one: AttemptOutcome, other: AttemptOutcome): AttemptOutcome {
  const results = [...one.results, ...other.results]
  const delivered = one.delivered === true || other.delivered === null ? one.delivered : other.delivered
  return { results, delivered, cooldown: one.cooldown ?? other.cooldown, repeatAt: firstRepeat(results) }
}

function whatComesOfPart(ended: EndedAttempt): AttemptOutcome {
  const { batch, outcome, now } = ended
  const cooldown = cooldownAfter(outcome, now)
  const results = batch.map((delivery, place): [ClaimedDelivery, AttemptResult] => {
    const result = resultOf(ended, delivery, place)
    // A batch counts as one attempt for the endpoint: with its first delivery.
    const isPartly = outcome.kind === 'failed' && outcome.partly === true
    if (place > 0 || isPartly) return [delivery, { ...result, shared: true }]
    return [delivery, cooldown === null ? result : { ...result, cooldown }]
  })
  return { results, delivered: verdictOf(batch[0], outcome), cooldown, repeatAt: firstRepeat(results) }
}

function firstRepeat(results: AttemptOutcome['results']): number | null {
  let first: number | null = null
  for (const [, { result }] of results)
    if (result.kind === 'retry' && (first === null || result.at < first)) first = result.at
  return first
}

function cooldownAfter(outcome: SendOutcome, now: number): Cooldown | null {
  if (outcome.kind !== 'failed' || outcome.cooldownOf === undefined || outcome.retryAfterMs === null) return null
  return { address: outcome.cooldownOf, until: now + outcome.retryAfterMs }
}

/** A test says nothing about an endpoint, nor does a refusal of what an event says. */
function verdictOf(delivery: ClaimedDelivery, outcome: SendOutcome): boolean | null {
  const isRefused = outcome.kind === 'failed' && outcome.permanent === true
  if (isTest(delivery) || outcome.kind === 'cut' || isRefused) return null
  return outcome.kind === 'delivered' || (outcome.kind === 'failed' && outcome.partly === true)
}

/** `place`: of the delivery in its batch. */
function resultOf(ended: EndedAttempt, delivery: ClaimedDelivery, place: number): AttemptResult {
  const result = bareResultOf(ended, delivery, place)
  const { outcome } = ended
  return outcome.progress === undefined ? result : { ...result, progress: outcome.progress }
}

function bareResultOf(ended: EndedAttempt, delivery: ClaimedDelivery, place: number): AttemptResult {
  const { outcome, now: endedAt } = ended
  const { id } = delivery
  if (outcome.kind === 'cut') return { id, attempt: null, endedAt, result: { kind: 'released' } }
  const attempt = attemptOf(ended, outcome)
  switch (outcome.kind) {
    case 'delivered':
      return { id, attempt, endedAt, result: DELIVERED }
    case 'gone': {
      const result = isTest(delivery) ? EXHAUSTED : ({ kind: 'disable', reason: outcome.error } as const)
      return { id, attempt, endedAt, result }
    }
    case 'failed': {
      const longestStepMs = Math.max(0, ...ended.retryMs)
      const result = afterFailure({ ...ended, delivery, place }, outcome)
      return { id, attempt, endedAt, longestStepMs, ...(outcome.unsent && { unsent: true }), result }
    }
    default:
      return outcome satisfies never
  }
}

interface Ended extends EndedAttempt {
  readonly delivery: ClaimedDelivery
  readonly place: number
}

/**
 * A batch that is refused for good because of what it says is repeated in halves, at once, within the schedule's number of
 * retries. What is due at one instant is repeated together, so the halves are due at two instants. In the end only a delivery
 * that is refused alone is exhausted.
 */
function afterFailure(ended: Ended, outcome: SendOutcome & { kind: 'failed' }): AttemptResult['result'] {
  const { delivery, batch, place, retryMs, now, random } = ended
  const [first] = batch
  const schedule = isTest(delivery) ? [] : retryMs
  const isOver = delivery.attempts >= schedule.length
  if (outcome.permanent === true) {
    const isDivided = outcome.divisible === true && batch.length > 1 && !isOver
    return isDivided ? { kind: 'retry', at: now + (place < batch.length / 2 ? 0 : 1) } : EXHAUSTED
  }
  const { retryAfterMs } = outcome
  const { resumesAt = null } = delivery
  const attempts = isOver ? delivery.attempts : Math.min(first.attempts, schedule.length - 1)
  const next = nextRetry({ attempts: attempts + 1, retryMs: schedule, retryAfterMs, now, random, resumesAt })
  return next === 'exhausted' ? EXHAUSTED : { kind: 'retry', ...next }
}

/** A test is tried once, and says nothing about the endpoint's health: its 410 disables nothing. */
function isTest({ event }: ClaimedDelivery): boolean {
  return event.cause === 'test'
}

function attemptOf({ at, durationMs }: EndedAttempt, outcome: Exclude<SendOutcome, { kind: 'cut' }>): Attempt {
  return {
    at,
    durationMs,
    status: outcome.status,
    error: outcome.kind === 'delivered' ? (outcome.refused ?? null) : outcome.error,
    answer: outcome.answer,
  }
}
