import { NO_ACCOUNT } from '../model/account.ts'
import type { DeliveryDraft } from '../model/delivery.ts'
import { type EventDraft, isAddressed } from '../model/event.ts'
import type { SubjectResource } from '../model/resource.ts'

interface EventBatch {
  readonly events: readonly EventDraft[]
  readonly deliveries: readonly DeliveryDraft[]
  /** When its events ring; left out: each at its `timestamp`. */
  readonly storedAt?: number | undefined
}

/** An event that the log does not have, and when it rings. */
export interface FreshEvent {
  readonly event: EventDraft
  readonly storedAt: number
}

/** A delivery that names no event of its batch; undefined: there is none. */
export function strayDelivery({ deliveries, events }: EventBatch): DeliveryDraft | undefined {
  if (deliveries.length === 0) return undefined
  const ids = new Set(events.map(({ id }) => id))
  return deliveries.find(({ eventId }) => !ids.has(eventId))
}

/** The events of a batch whose ids are not `stored`, in the order given, each once. */
export function freshEvents({ events, storedAt }: EventBatch, stored: ReadonlySet<string>): readonly FreshEvent[] {
  const fresh = new Map<string, FreshEvent>()
  for (const event of events)
    if (!stored.has(event.id) && !fresh.has(event.id))
      fresh.set(event.id, { event, storedAt: storedAt ?? event.timestamp })
  return [...fresh.values()]
}

/** The series that numbers an event. */
export function seriesOf({ account }: Pick<EventDraft, 'account'>): string {
  return account ?? NO_ACCOUNT
}

/** The series that have addressed events among these. */
export function addressedSeries(fresh: readonly FreshEvent[]): ReadonlySet<string> {
  return new Set(fresh.flatMap(({ event }) => (isAddressed(event) ? [seriesOf(event)] : [])))
}

/**
 * Gives each event the next `sequence` of its series. `last`: those that the series have reached. Addressed events move no series:
 * they are numbered downwards, from the `lowest` of their accounts.
 */
export function numberEvents(
  fresh: readonly FreshEvent[],
  last: ReadonlyMap<string, number>,
  lowest: ReadonlyMap<string, number> = new Map(),
): {
  readonly events: readonly (FreshEvent & { readonly sequence: number })[]
  readonly last: ReadonlyMap<string, number>
} {
  const sequences = new Map<string, number>()
  const downwards = new Map(lowest)
  const events = fresh.map(({ event, storedAt }) => {
    const series = seriesOf(event)
    if (isAddressed(event)) {
      const below = Math.min(downwards.get(series) ?? 0, 0) - 1
      downwards.set(series, below)
      return { event, storedAt, sequence: below }
    }
    const sequence = (sequences.get(series) ?? last.get(series) ?? 0) + 1
    sequences.set(series, sequence)
    return { event, storedAt, sequence }
  })
  return { events, last: sequences }
}

/** When each subject rang last, by `subjectKey`. */
export function rangAt(events: readonly FreshEvent[]): ReadonlyMap<string, number> {
  return new Map(events.map(({ event, storedAt }) => [subjectKey(event.subject), storedAt]))
}

/** When reads showed the last changes of subjects, by `subjectKey`. What no read shows by itself, such as a day that came, is none. */
export function shownAt(events: readonly EventDraft[]): ReadonlyMap<string, number> {
  const shown = new Map<string, number>()
  for (const { observed, subject } of events) {
    if (observed === null) continue
    const key = subjectKey(subject)
    shown.set(key, Math.max(observed.notAfter, shown.get(key) ?? observed.notAfter))
  }
  return shown
}

export function subjectKey({ id, resource }: Pick<EventDraft['subject'], 'id' | 'resource'>): string {
  return `${resource} ${id}`
}

/** The log is counted in stretches of so many places. */
const PLACES = 4_096

export interface LogSpan {
  readonly span: number
  readonly events: number
  /** How many of them have no payload any more. */
  readonly expired: number
  /** When they rang. */
  readonly oldest: number
  readonly newest: number
}

export function spanOf(ref: number): number {
  return Math.floor(ref / PLACES)
}

/** How many events of each span are among these, which lose their payloads, or go. */
export function countBySpan(refs: readonly number[]): ReadonlyMap<number, number> {
  const amounts = new Map<number, number>()
  for (const span of refs.map(spanOf)) amounts.set(span, (amounts.get(span) ?? 0) + 1)
  return amounts
}

export function placeBeforeSpan(span: number): number {
  return span * PLACES - 1
}

/** Whether all events of a span, none, or some of them can be sent and rang at or since. */
export function sendableIn(span: LogSpan | undefined, since: number): 'all' | 'none' | 'some' {
  if (span === undefined) return 'some'
  if (span.newest < since || span.expired === span.events) return 'none'
  return span.oldest >= since && span.expired === 0 ? 'all' : 'some'
}

export const HOUR_MS = 3_600_000

interface CountedEvent extends Pick<EventDraft, 'cause'> {
  readonly ref: number
  /** The account of the event; null: it is of none. */
  readonly account: string | null
  readonly type: string
  readonly resource: SubjectResource
  readonly storedAt: number
}

/** How many events of a kind rang in an hour. */
interface EventTotal {
  /** When it began. */
  readonly hour: number
  readonly account: string | null
  readonly type: string
  readonly resource: SubjectResource
  readonly amount: number
}

/** Totals of the events of one commit, written once for all of them. */
export class EventTotals {
  readonly #totals = new Map<string, EventTotal>()
  /** The first `ref` of each hour, whatever rang in it. */
  readonly #hours = new Map<number, number>()
  readonly #spans = new Map<number, LogSpan>()

  add(event: CountedEvent): void {
    const { account, ref, resource, storedAt, type } = event
    this.#addToSpan(event)
    const hour = hourOf(storedAt)
    this.#hours.set(hour, Math.min(ref, this.#hours.get(hour) ?? ref))
    if (isAddressed(event)) return
    const key = `${hour} ${type} ${resource} ${account === null ? '' : `of ${account}`}`
    const amount = (this.#totals.get(key)?.amount ?? 0) + 1
    this.#totals.set(key, { hour, account, type, resource, amount })
  }

  #addToSpan({ ref, storedAt }: CountedEvent): void {
    const span = spanOf(ref)
    const { events, newest, oldest } = this.#spans.get(span) ?? { events: 0, oldest: storedAt, newest: storedAt }
    const times = { oldest: Math.min(oldest, storedAt), newest: Math.max(newest, storedAt) }
    this.#spans.set(span, { span, events: events + 1, expired: 0, ...times })
  }

  /** The hours of the log in which something rang. */
  get hours(): readonly { readonly hour: number; readonly first: number }[] {
    return [...this.#hours].map(([hour, first]) => ({ hour, first }))
  }

  /** What is counted: addressed events are in no sum. */
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

/** A place in the log by age. */
interface AgePlace {
  readonly storedAt: number
  readonly ref: number
}

/** Where a sweep of the log begins. */
export const OLDEST: AgePlace = { storedAt: Number.MIN_SAFE_INTEGER, ref: 0 }
/** Hours are put together faster than events go, and take less. */
export const HOURS_OF_AN_EVENT = 4

/** Where a sweep goes on once it has looked at `candidates`, of which it asked for `limit`; null: there were no more. */
export function sweptTo(candidates: readonly AgePlace[], limit: number): AgePlace | null {
  const last = candidates.length < limit ? undefined : candidates.at(-1)
  return last === undefined ? null : { storedAt: last.storedAt, ref: last.ref }
}
