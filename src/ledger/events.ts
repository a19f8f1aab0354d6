import { NO_ACCOUNT } from '../model/account.ts'
import type { DeliveryDraft } from '../model/delivery.ts'
import type { EventDraft } from '../model/event.ts'

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

/** Gives each event the next `sequence` of its series. `last`: those that the series have reached. */
export function numberEvents(
  fresh: readonly FreshEvent[],
  last: ReadonlyMap<string, number>,
): {
  readonly events: readonly (FreshEvent & { readonly sequence: number })[]
  readonly last: ReadonlyMap<string, number>
} {
  const sequences = new Map<string, number>()
  const events = fresh.map(({ event, storedAt }) => {
    const series = seriesOf(event)
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

export function subjectKey({ id, resource }: Pick<EventDraft['subject'], 'id' | 'resource'>): string {
  return `${resource} ${id}`
}
