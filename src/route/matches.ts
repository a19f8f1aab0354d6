import type { EventDraft } from '../model/event.ts'
import type { Subscription } from '../model/subscription.ts'
import { matchesPatterns } from './event-pattern.ts'

interface Matched extends Pick<EventDraft, 'type' | 'account'> {
  readonly subject: Pick<EventDraft['subject'], 'id'>
}

/** What of a subscription says what it hears. */
export type EventSelection = Pick<Subscription, 'name' | 'events' | 'accounts' | 'alert'>

/** Whether a subscription names this event, by its patterns and accounts; never where the event is about its own endpoint. */
export function matchesByName(subscription: EventSelection, event: Matched): boolean {
  if (isAbout(event, subscription)) return false
  return matchesAccount(subscription, event) && matchesPatterns(subscription.events, event.type)
}

/** What is of no account is heard by all. */
export function matchesAccount(
  { accounts }: Pick<EventSelection, 'accounts'>,
  { account }: Pick<Matched, 'account'>,
): boolean {
  return account === null || accounts === null || accounts.includes(account)
}

/** Whether it hears this event as `delivery.alert`, whatever its own patterns, accounts and filters (contract section 2). */
export function matchesAsAlert(subscription: EventSelection, event: Matched): boolean {
  return subscription.alert && !isAbout(event, subscription) && isAlert(event.type)
}

function isAlert(type: string): boolean {
  return type.startsWith('endpoint.') || (type.startsWith('account.') && type !== 'account.baseline_completed')
}

/** A broken endpoint is not told by way of itself. */
function isAbout({ type, subject }: Matched, { name }: EventSelection): boolean {
  return type.startsWith('endpoint.') && subject.id === name
}
