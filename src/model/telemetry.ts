import type { EventDraft } from './event.ts'
import type { Exchange } from './exchange.ts'
import type { Watchable } from './resource.ts'

/**
 * Hears what a service has done, to count or to trace it. It is called where the outcome is known, whatever else becomes of it,
 * and changes nothing. Every method returns at once and never throws.
 */
export interface Telemetry {
  /** A request to the platform has ended. */
  requested(request: EndedRequest): void
  /** What an answer or the calendar taught was written, or could not be. */
  committed(commit: EndedCommit): void
  /** An attempt to deliver has ended. One that a shutdown cut is none. */
  attempted(attempt: EndedSend): void
}

export interface EndedRequest {
  readonly account: string
  readonly resource: Watchable
  /** How the request ended, as `platform/outcome.ts` names it. */
  readonly outcome: RequestOutcome
  readonly exchange: Exchange
  /** Why the request failed, in one sentence; null where it did not. */
  readonly reason: string | null
}

/** `empty`, `not_found`: a list, or an item, of which the platform answered that there is none (404). */
export const REQUEST_OUTCOMES = [
  'ok',
  'empty',
  'not_found',
  'rejected',
  'unauthorized',
  'throttled',
  'broken',
  'unreachable',
] as const
type RequestOutcome = (typeof REQUEST_OUTCOMES)[number]

export interface EndedCommit {
  readonly account: string
  readonly events: readonly EventDraft[]
  readonly deliveries: number
  /** The requests that showed it, in the order they were sent; null: nothing that was read or fell due taught it. */
  readonly exchanges: readonly Exchange[] | null
  readonly startedAt: number
  readonly endedAt: number
  /** Why the commit could not be written; null: it was. */
  readonly error: string | null
}

/** One message to an endpoint, which may tell of several events. */
export interface EndedSend {
  readonly subscription: string
  readonly startedAt: number
  readonly durationMs: number
  /** HTTP status of the answer; null where none arrived. */
  readonly status: number | null
  /** Why the attempt failed, in one sentence; null on success. */
  readonly error: string | null
  readonly rows: readonly SentRow[]
}

export interface SentRow {
  readonly delivery: string
  /** 1 for the first. */
  readonly attempt: number
  readonly event: Pick<EventDraft, 'id' | 'type' | 'account'>
  readonly outcome: AttemptOutcome
}

/** What an attempt came to: `retry` is followed by another, `exhausted` was the last; `disabled`: the endpoint is gone. */
export const ATTEMPT_OUTCOMES = ['delivered', 'retry', 'exhausted', 'disabled'] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]
