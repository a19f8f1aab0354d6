import type { EventDraft } from '../model/event.ts'
import type { DatedSubject, RoutingQuery } from '../model/routing.ts'
import type { Subscription } from '../model/subscription.ts'
import { carriedDates, datedSubject } from './carried-dates.ts'

/** What `route` must know of the past for these events; null where it needs nothing. */
export function routingQuery(
  events: readonly EventDraft[],
  subscriptions: readonly Subscription[],
): RoutingQuery | null {
  const shifting = subscriptions.filter(({ minShiftMs }) => minShiftMs !== null).map(({ name }) => name)
  const filtering = subscriptions.some(({ filter }) => filter !== null)
  if (events.length === 0 || (shifting.length === 0 && !filtering)) return null
  return { subscriptions: shifting, subjects: shifting.length === 0 ? [] : subjectsOf(events) }
}

function subjectsOf(events: readonly EventDraft[]): readonly DatedSubject[] {
  const subjects = events.filter((event) => carriedDates(event).length > 0).map(datedSubject)
  const known = new Map(
    subjects.filter((each) => each !== null).map((each) => [JSON.stringify([each.resource, each.id]), each]),
  )
  return [...known.values()]
}
