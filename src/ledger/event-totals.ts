import type { SubjectResource } from '../model/resource.ts'
import { type LogSpan, spanOf } from './log-spans.ts'

export const HOUR_MS = 3_600_000

interface CountedEvent {
  readonly ref: number
  /** The account of the event; null: it is of none. */
  readonly account: string | null
  readonly type: string
  readonly resource: SubjectResource
  readonly storedAt: number
}

/** How many events of a kind rang in an hour. */
export interface EventTotal {
  /** When it began. */
  readonly hour: number
  readonly account: string | null
  readonly type: string
  readonly resource: SubjectResource
  readonly amount: number
  /** `ref` of the first of them. */
  readonly first: number
}

/** Totals of the events of one commit, written once for all of them. */
export class EventTotals {
  readonly #totals = new Map<string, EventTotal>()
  readonly #spans = new Map<number, LogSpan>()

  add(event: CountedEvent): void {
    const { account, ref, resource, storedAt, type } = event
    const hour = hourOf(storedAt)
    const key = `${hour} ${type} ${resource} ${account === null ? '' : `of ${account}`}`
    const { amount, first } = this.#totals.get(key) ?? { amount: 0, first: ref }
    this.#totals.set(key, { hour, account, type, resource, amount: amount + 1, first })
    this.#addToSpan(event)
  }

  #addToSpan({ ref, storedAt }: CountedEvent): void {
    const span = spanOf(ref)
    const { events, newest, oldest } = this.#spans.get(span) ?? { events: 0, oldest: storedAt, newest: storedAt }
    const times = { oldest: Math.min(oldest, storedAt), newest: Math.max(newest, storedAt) }
    this.#spans.set(span, { span, events: events + 1, expired: 0, ...times })
  }

  get all(): readonly EventTotal[] {
    return [...this.#totals.values()]
  }

  /** What they add to the spans of the log. */
  get spans(): readonly LogSpan[] {
    return [...this.#spans.values()]
  }
}

/** The beginning of the hour that an instant lies in. */
export function hourOf(instant: number): number {
  return instant - (((instant % HOUR_MS) + HOUR_MS) % HOUR_MS)
}
