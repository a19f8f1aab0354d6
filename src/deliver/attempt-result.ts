import type { Attempt } from '../model/delivery.ts'
import { nextRetry } from '../plan/retry-schedule.ts'
import type { ClaimedDelivery, AttemptResult } from '../store/ports.ts'
import type { SendOutcome } from './channels/channel.ts'
import type { Batch } from './batches.ts'

export interface EndedAttempt {
  readonly delivery: ClaimedDelivery
  /** What was sent together is repeated together, by the schedule of its first delivery. */
  readonly batch: Batch
  /** Of the delivery in its batch. */
  readonly place: number
  readonly outcome: SendOutcome
  /** When it began, by the wall clock. */
  readonly at: number
  readonly durationMs: number
  /** When it ended, in steady time. */
  readonly now: number
  readonly retryMs: readonly number[]
  /** In [0, 1). */
  readonly random: number
}

/** What an attempt writes to the ledger, and what happens to its delivery next. Pure. */
export function attemptResultOf(ended: EndedAttempt): AttemptResult {
  const { delivery, outcome } = ended
  if (outcome.kind === 'cut') return { id: delivery.id, attempt: null, result: { kind: 'released' } }
  const made = { id: delivery.id, attempt: attemptOf(ended, outcome), endedAt: ended.now }
  switch (outcome.kind) {
    case 'delivered':
      return { ...made, result: { kind: 'delivered' } }
    case 'gone':
      return { ...made, result: isTest(delivery) ? { kind: 'exhausted' } : { kind: 'disable', reason: outcome.error } }
    case 'failed':
      return { ...made, longestStepMs: Math.max(0, ...ended.retryMs), result: afterFailure(ended, outcome) }
    default:
      return outcome satisfies never
  }
}

/**
 * What is refused for good for what it says is repeated in halves, at once, within the schedule's number of retries: what is
 * due at one instant is repeated together, so the halves are due at two. In the end only that is exhausted which is refused alone.
 */
function afterFailure(ended: EndedAttempt, outcome: SendOutcome & { kind: 'failed' }): AttemptResult['result'] {
  const { delivery, batch, place, retryMs, now, random } = ended
  const [first] = batch
  const schedule = isTest(delivery) ? [] : retryMs
  const isOver = delivery.attempts >= schedule.length
  if (outcome.permanent === true) {
    const isDivided = outcome.divisible === true && batch.length > 1 && !isOver
    return isDivided ? { kind: 'retry', at: now + (place < batch.length / 2 ? 0 : 1) } : { kind: 'exhausted' }
  }
  const { retryAfterMs } = outcome
  const { resumesAt = null } = delivery
  const attempts = isOver ? delivery.attempts : Math.min(first.attempts, schedule.length - 1)
  const next = nextRetry({ attempts: attempts + 1, retryMs: schedule, retryAfterMs, now, random, resumesAt })
  return next === 'exhausted' ? { kind: 'exhausted' } : { kind: 'retry', ...next }
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
    error: outcome.kind === 'delivered' ? null : outcome.error,
    answer: outcome.answer,
  }
}
