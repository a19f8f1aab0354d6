import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { formatInstant } from '../model/instant.ts'
import type { OwnLimit } from '../model/own-limit.ts'
import type { AttemptOutcome, SentRow, Telemetry } from '../model/telemetry.ts'
import type { AttemptResult } from '../model/attempt-result.ts'
import type { ClaimedDelivery } from '../store/ports/delivery-port.ts'
import { whatComesOf } from './attempt-result.ts'
import type { Batch } from './batches.ts'
import type { SendOutcome } from './channels/channel.ts'
import type { OwnRoom } from './own-room.ts'
import type { ResultBuffer } from './result-buffer.ts'
import type { SteadyTime } from './steady-time.ts'
import type { SubscriptionRuntimes } from './subscription-runtimes.ts'

export interface AttemptContext {
  readonly clock: Clock
  readonly log: Logger
  /** Jitter, in [0, 1). */
  readonly random: () => number
  readonly settings: () => { readonly retryMs: readonly number[] }
  readonly time: SteadyTime
  readonly runtimes: SubscriptionRuntimes
  readonly resultBuffer: ResultBuffer
  readonly telemetry?: Pick<Telemetry, 'attempted'>
  readonly room: Pick<OwnRoom, 'lacked'>
  /** Whether anything may be sent at this moment; left out: always. */
  readonly maySend?: () => boolean
}

/** Makes one attempt and passes on what comes of it: to the runtime, the log and the result buffer. Takes its place at once. Never throws. */
export async function makeAttempt(batch: Batch, context: AttemptContext, signal: AbortSignal): Promise<void> {
  const { clock, log, random, room, settings, time, runtimes, resultBuffer, maySend } = context
  const [at, startedAt] = [clock.now(), time.now()]
  const runtime = runtimes.get(batch[0].subscription)
  const begun = runtimes.begin(batch, startedAt)
  const outcome = maySend?.() === false ? CUT : await runtime.send(batch, signal)
  const now = time.now()
  const ended = { batch, outcome, at, durationMs: now - startedAt, now, retryMs: settings().retryMs, random: random() }
  const { results, delivered, cooldown, repeatAt } = whatComesOf(ended)
  const lacks = lackOf(outcome)
  if (lacks !== null) {
    runtime.rest(now)
    room.lacked(lacks)
  }
  runtime.end(begun, { delivered, cooldown, repeatAt, endedAt: now })
  for (const ended of results) {
    logAttempt(log, ended, time)
    resultBuffer.add(ended[1])
  }
  tell(context, batch[0].subscription, results)
}

/** What of ours ran out for an attempt, or for a part of it; null: nothing. */
function lackOf(outcome: SendOutcome): OwnLimit | null {
  for (const each of [outcome, ...(outcome.parts ?? []).map((part) => part.outcome)])
    if (each.kind === 'cut' && each.lacks !== undefined) return each.lacks
  return null
}

const CUT = { kind: 'cut' } as const

/** Says what the sender knows: the ledger may hold the row because of what others sent to its endpoint. */
function tell(
  { telemetry }: Pick<AttemptContext, 'telemetry'>,
  subscription: string,
  results: readonly (readonly [ClaimedDelivery, AttemptResult])[],
): void {
  const made = results[0]?.[1].attempt ?? null
  if (telemetry === undefined || made === null) return
  const { at: startedAt, durationMs, error, status } = made
  const rows = results.flatMap(([delivery, { result }]) => sentRow(delivery, OUTCOME_OF[result.kind]))
  telemetry.attempted({ subscription, startedAt, durationMs, status, error, rows })
}

const OUTCOME_OF = {
  delivered: 'delivered',
  retry: 'retry',
  exhausted: 'exhausted',
  disable: 'disabled',
  released: null,
} as const satisfies Readonly<Record<AttemptResult['result']['kind'], AttemptOutcome | null>>

function sentRow({ attempts, event, id }: ClaimedDelivery, outcome: AttemptOutcome | null): readonly SentRow[] {
  return outcome === null ? [] : [{ delivery: id, attempt: attempts + 1, event, outcome }]
}

/** The one log line of an attempt: which, how it ended, what happens next. */
function logAttempt(
  log: Logger,
  [{ id, subscription, attempts, event }, { attempt, result }]: readonly [ClaimedDelivery, AttemptResult],
  time: Pick<SteadyTime, 'shownAt'>,
): void {
  const line = {
    delivery: id,
    event: event.id,
    type: event.type,
    account: event.account,
    subscription,
    attempt: attempts + 1,
    status: attempt?.status ?? null,
    duration_ms: attempt?.durationMs ?? null,
    next: result.kind,
  }
  const retried = result.kind === 'retry' ? { ...line, next_attempt_at: formatInstant(time.shownAt(result.at)) } : line
  if (attempt === null || attempt.error === null) log.info(retried, 'delivery.attempted')
  else log.warn({ ...retried, error: attempt.error }, 'delivery.attempted')
}
