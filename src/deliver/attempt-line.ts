import type { Logger } from '../log.ts'
import { formatInstant } from '../model/instant.ts'
import type { ClaimedDelivery, AttemptResult } from '../store/ports.ts'
import type { SteadyTime } from './steady-time.ts'

/** The one log line of an attempt: which, how it ended, what happens next. */
export function logAttempt(
  log: Logger,
  delivery: ClaimedDelivery,
  { attemptResult, time }: { readonly attemptResult: AttemptResult; readonly time: SteadyTime },
): void {
  const { event } = delivery
  const { attempt, result } = attemptResult
  const line = {
    delivery: delivery.id,
    event: event.id,
    type: event.type,
    account: event.account,
    subscription: delivery.subscription,
    attempt: delivery.attempts + 1,
    status: attempt?.status ?? null,
    duration_ms: attempt?.durationMs ?? null,
    next: result.kind,
    ...(result.kind === 'retry' ? { next_attempt_at: formatInstant(time.shownAt(result.at)) } : {}),
    ...(attempt?.error === null || attempt === null ? {} : { error: attempt.error }),
  }
  if (attempt?.error === null || attempt === null) log.info(line, 'delivery.attempted')
  else log.warn(line, 'delivery.attempted')
}
