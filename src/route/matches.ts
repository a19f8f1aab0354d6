import { EVENT_CATALOGUE, eventTypeInfo, type EventType } from '../model/event-catalogue.ts'
import type { EventDraft } from '../model/event.ts'
import type { Subscription } from '../model/subscription.ts'

interface Matched extends Pick<EventDraft, 'type' | 'account'> {
  readonly subject: Pick<EventDraft['subject'], 'id'>
}

/** The part of a subscription that decides which events it gets. */
type EventSelection = Pick<Subscription, 'name' | 'events' | 'accounts' | 'alert'>

/** Whether a subscription names this event, by its patterns and accounts; never where the event is about its own endpoint. */
export function matchesByName(subscription: EventSelection, event: Matched): boolean {
  if (isAbout(event, subscription)) return false
  return matchesAccount(subscription, event) && matchesPatterns(subscription.events, event.type)
}

/** An event of no account matches every subscription's accounts. */
export function matchesAccount(
  { accounts }: Pick<EventSelection, 'accounts'>,
  { account }: Pick<Matched, 'account'>,
): boolean {
  return account === null || accounts === null || accounts.includes(account)
}

/** Which subscriptions may hear anything of an account, by list of subscriptions and account. */
const HEARERS = new WeakMap<readonly Subscription[], Map<string, readonly Subscription[]>>()

/**
 * The subscriptions that an event of this account may concern, in their order; an event of no account concerns all. A list of
 * subscriptions must not change. Of thousands of subscriptions most name other accounts, so what is found is kept as long as the list.
 */
export function hearersOf(subscriptions: readonly Subscription[], account: string | null): readonly Subscription[] {
  if (account === null) return subscriptions
  const known = HEARERS.get(subscriptions) ?? new Map<string, readonly Subscription[]>()
  HEARERS.set(subscriptions, known)
  const hearers = known.get(account) ?? subscriptions.filter((each) => each.alert || matchesAccount(each, { account }))
  known.set(account, hearers)
  return hearers
}

/** Whether a subscription gets an event as `delivery.alert`, whatever its own patterns, accounts and filters (guarantee K7). */
export function matchesAsAlert(subscription: EventSelection, event: Matched): boolean {
  return subscription.alert && !isAbout(event, subscription) && isAlert(event.type)
}

function isAlert(type: string): boolean {
  if (type === 'shipbell.configuration_rejected') return true
  return type.startsWith('endpoint.') || (type.startsWith('account.') && type !== 'account.baseline_completed')
}

/** An event about an endpoint is not sent to that endpoint. */
export function isAbout({ type, subject }: Matched, { name }: EventSelection): boolean {
  return type.startsWith('endpoint.') && subject.id === name
}

/** Every type of event that a subscription can be sent, by name or as `delivery.alert`; tests of it come besides. */
export function matchedTypes(subscription: EventSelection): readonly EventType[] {
  const account = subscription.accounts?.[0] ?? null
  return EVENT_CATALOGUE.map(({ type }) => type).filter((type) => {
    const event = { type, account, subject: { id: '' } }
    return matchesByName(subscription, event) || matchesAsAlert(subscription, event)
  })
}

/**
 * Whether one of a subscription's patterns names this type: exact, `prefix.*` or `*`; or the type that it was a part of.
 * Service events are matched by name only: `*` does not reach them (guarantee E9). No pattern names snapshots, which are addressed.
 */
export function matchesPatterns(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, type))
}

function matchesPattern(pattern: string, type: string): boolean {
  const info = eventTypeInfo(type)
  if (info?.family === 'snapshot') return false
  if (pattern === '*') return info?.family !== 'service'
  if (pattern.endsWith('.*')) return type.startsWith(pattern.slice(0, -1))
  return pattern === type || pattern === info?.partOf
}
