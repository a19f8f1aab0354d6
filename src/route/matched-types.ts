import { EVENT_CATALOGUE, type EventType } from '../model/event-catalogue.ts'
import { matchesAsAlert, matchesByName, type EventSelection } from './matches.ts'

/** Every type of event that a subscription can be sent, by name or as `delivery.alert`; tests of it come besides. */
export function matchedTypes(subscription: EventSelection): readonly EventType[] {
  const account = subscription.accounts?.[0] ?? null
  return EVENT_CATALOGUE.map(({ type }) => type).filter((type) => {
    const event = { type, account, subject: { id: '' } }
    return matchesByName(subscription, event) || matchesAsAlert(subscription, event)
  })
}
