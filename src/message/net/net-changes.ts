import { alteredEvent, type ShipbellEvent } from '../../model/event.ts'
import { saysReached } from '../../model/milestone-change.ts'
import { field, textField } from '../../model/json.ts'
import { MILESTONES } from '../../model/shipment.ts'
import { severityOf } from '../../model/severity.ts'
import { eventData } from '../../model/event-data.ts'
import { daysBetween, isCalendarDate } from '../../model/zoned-day.ts'
import { appearing, changedMilestone, minutesOf, withExtras } from './date-fold.ts'
import type { NetChange, Several } from './net-entry.ts'
import { byTopic, type TopicEvents } from './net-topics.ts'

/**
 * What became of one subject over its events, oldest first: each date and status where it stands by now, from the value before
 * the first event. What returned, and what a later event says is over, is left out.
 */
export function netChanges<E extends ShipbellEvent>(events: Several<E>): readonly NetChange<E>[] {
  const { born, gone, others } = lifeOf(events)
  if (gone !== null) return born === null ? [changeOf(gone, [gone])] : []
  const topics = byTopic(others)
  const newest = events.at(-1) ?? events[0]
  const changes = topics.flatMap((topic): readonly NetChange<E>[] => {
    if (isOver(topic, topics, others) || (born !== null && isOfTheNew(topic, born))) return []
    const [first, ...rest] = topic.events
    const event = rest.length === 0 ? first : topic.fold(withoutReminders(topic.events))
    if (event === null) return []
    const shown = born !== null && changedMilestone(event) !== null ? appearing(event) : event
    return [changeOf(withSlack(upToDate(shown, newest), others), topic.events)]
  })
  return born === null ? changes : [changeOf(upToDate(born, newest), [born]), ...changes]
}

/** The change that an event says: how grave it is, and how far it moved a date. */
function changeOf<E extends ShipbellEvent>(event: ShipbellEvent, events: Several<E>): NetChange<E> {
  const isTest = event.cause === 'test'
  const tone = isTest ? 'neutral' : severityOf(event.type, eventData(event))
  return { event, events, tone, minutes: minutesOf(event) }
}

const LIFE =
  /^(?:shipment|invoice|credit_note|document|purchase_order|location|order_preparation)\.(created|added|removed|restored)$/

interface Life<E> {
  /** The event that says that the record is there, where its reader knew of none; null: it was known. */
  readonly born: E | null
  /** The event that says that the record is gone; null: it is there. */
  readonly gone: E | null
  /** The events that say what became of the record meanwhile. */
  readonly others: readonly E[]
}

/** Whether a record was there before the events, and is behind them. One that went and came back was never gone. */
function lifeOf<E extends ShipbellEvent>(events: readonly E[]): Life<E> {
  const turns = events.filter((event) => event.cause !== 'test' && LIFE.test(event.type))
  const [first, last] = [turns[0], turns.at(-1)]
  const others = events.filter((event) => !turns.includes(event))
  if (first === undefined || last === undefined) return { born: null, gone: null, others }
  return { born: isGone(first) ? null : first, gone: isGone(last) ? last : null, others }
}

function isGone({ type }: ShipbellEvent): boolean {
  return type.endsWith('.removed')
}

/** What a new record is said to be is how it stands by now: changes of a part of it are no news beside that. */
function isOfTheNew({ events }: TopicEvents<ShipbellEvent>, born: ShipbellEvent): boolean {
  const { cause, type } = events[0]
  if (cause !== 'change' || !/\.(?:created|added)$/.test(born.type)) return false
  if (born.subject.resource === 'shipment') return /_updated$|\.updated$|_changed$/.test(type) && !isDated(events[0])
  return /_changed$|\.updated$|\.classified$/.test(type)
}

function isDated(event: ShipbellEvent): boolean {
  return changedMilestone(event) !== null
}

/** Whether what happened later says that it is no longer so: a milestone was reached or has another date, an invoice was paid. */
function isOver(
  { key, events }: TopicEvents<ShipbellEvent>,
  topics: readonly TopicEvents<ShipbellEvent>[],
  all: readonly ShipbellEvent[],
): boolean {
  const last = events.at(-1) ?? events[0]
  if (last.cause === 'test') return false
  const later = all.slice(all.indexOf(last) + 1)
  if (key === 'due') return later.some(endsDue)
  if (key === 'risk') return later.some((event) => event.type === 'shipment.delivered' || event.type === DELIVERED)
  if (key.startsWith('overdue:')) {
    const milestone = textField(last.extras, 'milestone')
    return later.some((event) => changedMilestone(event) === milestone || reachesBehind(event, milestone))
  }
  return key.endsWith('.status_changed') && isSaidByDue(last, topics)
}

const DELIVERED = 'purchase_order.delivered'

/** Whether an event says that a milestone later on the way is reached. */
function reachesBehind(event: ShipbellEvent, milestone: string | null): boolean {
  const places = [milestone, changedMilestone(event)].map((name) => MILESTONES.findIndex((each) => each === name))
  return saysReached(event.type) && (places[1] ?? -1) > (places[0] ?? -1)
}

/** Whether an event says that what was due no longer is, or on another day. */
function endsDue({ extras, type }: Pick<ShipbellEvent, 'extras' | 'type'>): boolean {
  if (type === 'invoice.overdue_cleared' || type === 'invoice.removed' || type === 'invoice.due_date_changed')
    return true
  const to = textField(extras, 'to')
  return type === 'invoice.status_changed' && (to === 'paid' || to === 'write_off')
}

/** Whether a status says no more than the due date beside it: that the platform calls the invoice due. */
function isSaidByDue(last: ShipbellEvent, topics: readonly TopicEvents<ShipbellEvent>[]): boolean {
  if (last.type !== 'invoice.status_changed' || textField(last.extras, 'to') !== 'due') return false
  const due = topics.find(({ key }) => key === 'due')?.events.at(-1)
  return due?.type === 'invoice.due' && textField(due.extras, 'reason') === 'status'
}

/** A delivery at risk with as many days of slack as its date leaves by now: later changes of the date ring no risk anew. */
function withSlack(event: ShipbellEvent, others: readonly ShipbellEvent[]): ShipbellEvent {
  if (!event.type.endsWith('.delivery_at_risk')) return event
  const later = others.slice(others.findIndex(({ id }) => id === event.id) + 1)
  const moved = later.filter((each) => changedMilestone(each) === 'delivery' || each.type === ORDER_MOVED)
  const slack = slackOf(event, moved)
  return slack === null || slack >= 0 ? event : withExtras(event, { slack_days: slack })
}

const ORDER_MOVED = 'purchase_order.eta_changed'

function slackOf(risk: ShipbellEvent, moved: readonly ShipbellEvent[]): number | null {
  const [oldest, newest] = [moved[0], moved.at(-1)]
  if (oldest === undefined || newest === undefined) return null
  const told = field(field(newest.extras, 'order_status'), 'slack_days')
  if (newest.type === ORDER_MOVED) return typeof told === 'number' ? told : null
  const desired = textField(risk.object ?? undefined, 'desired_delivery_date')?.slice(0, 10) ?? ''
  const expected = changedDay(newest, 'to')
  if (!isCalendarDate(expected)) return null
  if (isCalendarDate(desired)) return daysBetween(expected, desired)
  // An event without its record says how many days there were before the date moved on.
  const [days, from] = [field(risk.extras, 'slack_days'), changedDay(oldest, 'from')]
  return typeof days === 'number' && isCalendarDate(from) ? days - daysBetween(from, expected) : null
}

function changedDay({ extras }: ShipbellEvent, side: 'from' | 'to'): string {
  return textField(field(field(extras, 'date_change'), side), 'date')?.slice(0, 10) ?? ''
}

/** What is told again is no news beside what is told the first time. */
function withoutReminders<E extends ShipbellEvent>(events: Several<E>): Several<E> {
  const [first, ...rest] = events.filter(({ cause }) => cause !== 'reminder')
  return first === undefined ? events : [first, ...rest]
}

/** The event with its record as the newest event shows it, so that no two lines show two states of one record. */
function upToDate(event: ShipbellEvent, newest: ShipbellEvent): ShipbellEvent {
  if (event.object === newest.object || newest.object === null || event.cause === 'test') return event
  return alteredEvent(event, { object: newest.object, shipment: newest.shipment ?? event.shipment })
}
