import type { DeliveryDraft } from '../model/delivery.ts'
import type { EventDraft } from '../model/event.ts'
import { parseInstant } from '../model/instant.ts'
import { readDay } from '../model/iso-time.ts'
import { field, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { leavesNoChange } from '../model/omit.ts'
import { fullPayload } from '../model/payload.ts'
import type { DatedSubject, NotifiedDate, RoutedDate, RoutingQuery, RoutingState } from '../model/routing.ts'
import { MILESTONES, trackingInstant } from '../model/shipment.ts'
import type { Subscription } from '../model/subscription.ts'
import { hearersOf, matchesAccount, matchesAsAlert, matchesByName } from './matches.ts'

/** Before the first event. */
export const NOTHING_ROUTED: RoutingState = { lastSequence: 0, dates: [] }

/** A `where` that could not be judged on an event; the event is delivered all the same. */
export interface FilterFailure {
  readonly subscription: string
  readonly expression: string
  readonly event: EventDraft
  readonly reason: string
}

export interface Routed {
  readonly deliveries: readonly DeliveryDraft[]
  /** What is to be remembered for the events that follow. */
  readonly dates: readonly NotifiedDate[]
  readonly failures: readonly FilterFailure[]
}

/**
 * One delivery for every pair of an event and a subscription that wants it, in the order of the events. They are all of one
 * account, and `state` is what `routingQuery` asks for; without filters and `min_shift` it does not matter.
 */
export function route(
  events: readonly EventDraft[],
  subscriptions: readonly Subscription[],
  state: RoutingState = NOTHING_ROUTED,
): Routed {
  const dates = new NotifiedDates(state.dates)
  const deliveries: DeliveryDraft[] = []
  const failures: FilterFailure[] = []
  for (const [index, event] of events.entries()) {
    const payload = lazily(() => fullPayload({ ...event, sequence: state.lastSequence + index + 1 }))
    for (const subscription of hearersOf(subscriptions, event.account)) {
      const { wanted, failure } = judge(subscription, { event, payload, dates })
      const lastTold = dates.lastTold(subscription, event)
      dates.remember(subscription, event, wanted)
      if (wanted)
        deliveries.push({ eventId: event.id, subscription: subscription.name, ...(lastTold !== null && { lastTold }) })
      if (failure !== null) failures.push(failure)
    }
  }
  return { deliveries, dates: dates.takeChanges(), failures }
}

/** What one subscription makes of one event. */
interface Judged {
  readonly wanted: boolean
  readonly failure: FilterFailure | null
}

const UNWANTED: Judged = { wanted: false, failure: null }
const WANTED: Judged = { wanted: true, failure: null }

/** `dates` are of the account of the event. */
export function judge(
  subscription: Subscription,
  { event, payload, dates }: { event: EventDraft; payload: () => JsonObject; dates: NotifiedDates },
): Judged {
  if (matchesAsAlert(subscription, event)) return WANTED
  if (!matchesByName(subscription, event) || !dates.passes(subscription, event)) return UNWANTED
  const { name, filter, channel } = subscription
  if (channel.omit !== undefined && leavesNoChange(event, channel.omit)) return UNWANTED
  if (filter === null) return WANTED
  const verdict = filter.judge(payload())
  if (verdict.kind === 'no match') return UNWANTED
  if (verdict.kind === 'match') return WANTED
  const { reason } = verdict
  return { wanted: true, failure: { subscription: name, expression: filter.expression, event, reason } }
}

/** Payloads are rendered only where a filter asks, once for all filters. */
function lazily(render: () => JsonObject): () => JsonObject {
  let payload: JsonObject | null = null
  return () => (payload ??= render())
}

/** What `route` must know of the past for these events; null where it needs nothing. */
export function routingQuery(
  events: readonly EventDraft[],
  subscriptions: readonly Subscription[],
): RoutingQuery | null {
  const hearers = hearersOf(subscriptions, events[0]?.account ?? null)
  const shifting = hearers.filter(({ minShiftMs }) => minShiftMs !== null).map(({ name }) => name)
  const filtering = hearers.some(({ filter }) => filter !== null)
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

/** The dates of one account that subscriptions with `min_shift` were sent, while events are routed one after another. */
export class NotifiedDates {
  readonly #known: Map<string, NotifiedDate>
  readonly #changed = new Map<string, NotifiedDate>()

  constructor(known: readonly NotifiedDate[]) {
    this.#known = new Map(known.map((each) => [keyOf(each), each]))
  }

  /** What is to be remembered, beyond what was known and what was taken before. */
  takeChanges(): readonly NotifiedDate[] {
    const changes = [...this.#changed.values()]
    this.#changed.clear()
    return changes
  }

  /**
   * Whether `min_shift` lets an event pass: anything but a date change does, and a date change that is as far as `min_shift`
   * from the value last sent; so does one without a distance (a date that came, went or cannot be read).
   */
  passes({ name, minShiftMs }: Subscription, event: EventDraft): boolean {
    if (minShiftMs === null || !isDateShift(event)) return true
    return carriedDates(event).every((carried) => {
      const known = this.#find(name, event, carried.date)
      const base = known === undefined ? (carried.from ?? null) : known.instant
      return base === null || carried.to === null || Math.abs(carried.to - base) >= minShiftMs
    })
  }

  /** What a subscription with `min_shift` was sent last of the date that an event changed, where that is not what it changed from. */
  lastTold({ name, minShiftMs }: Subscription, event: EventDraft): number | null {
    if (minShiftMs === null || !(isDateShift(event) || isJsonObject(field(event.extras, 'date_change')))) return null
    const [carried] = carriedDates(event)
    const base = carried === undefined ? null : (this.#find(name, event, carried.date)?.instant ?? null)
    return base === carried?.from ? null : base
  }

  /** Remembers the date that an event brought a subscription, or, where it was not sent, what its date first changed from. */
  remember(subscription: Subscription, event: EventDraft, sent: boolean): void {
    const { name, minShiftMs } = subscription
    const subject = datedSubject(event)
    if (minShiftMs === null || subject === null || !matchesAccount(subscription, event)) return
    for (const carried of carriedDates(event)) {
      const known = this.#find(name, event, carried.date)
      const instant = sent ? carried.to : carried.from
      if (instant === undefined || (!sent && known !== undefined)) continue
      this.#set({ subscription: name, subject, date: carried.date, instant, version: event.subject.version })
    }
  }

  #find(subscription: string, event: EventDraft, date: CarriedDate['date']): NotifiedDate | undefined {
    const subject = datedSubject(event)
    return subject === null ? undefined : this.#known.get(keyOf({ subscription, subject, date }))
  }

  #set(notified: NotifiedDate): void {
    const key = keyOf(notified)
    const known = this.#known.get(key)
    if (known === undefined && notified.instant === null) return
    if (known !== undefined && known.version >= notified.version) return
    this.#known.set(key, notified)
    this.#changed.set(key, notified)
  }
}

interface Keyed {
  readonly subscription: string
  readonly subject: DatedSubject
  readonly date: RoutedDate
}

function keyOf({ subscription, subject, date }: Keyed): string {
  return JSON.stringify([subscription, subject.resource, subject.id, date])
}

/**
 * The dates that snapshots bring a subscription with `min_shift`, in place of what it was sent before. `known`: those of their subjects;
 * where there is none, that it has no date need not be remembered.
 */
export function datesOfSnapshots(
  { name }: Subscription,
  snapshots: readonly EventDraft[],
  { dates }: RoutingState,
): readonly NotifiedDate[] {
  const known = new Set(dates.map(keyOf))
  return snapshots.flatMap((event): readonly NotifiedDate[] => {
    const subject = datedSubject(event)
    if (subject === null) return []
    const { version } = event.subject
    const brought = carriedDates(event).map(({ date, to: instant }) => ({ date, instant }))
    return brought
      .map((each) => ({ subscription: name, subject, version, ...each }))
      .filter((each) => each.instant !== null || known.has(keyOf(each)))
  })
}

/** A date that an event reports. */
export interface CarriedDate {
  readonly date: RoutedDate
  /** What the date was; undefined where the event does not say. null: there was none, or none that can be read. */
  readonly from?: number | null
  readonly to: number | null
}

/** The types whose events are sent only where their date moved far enough (guarantee E11, `min_shift`). */
const SHIFTS: ReadonlySet<string> = new Set([
  'shipment.pickup_date_changed',
  'shipment.etd_changed',
  'shipment.eta_changed',
  'shipment.delivery_date_changed',
  'purchase_order.eta_changed',
  'invoice.due_date_changed',
  'credit_note.due_date_changed',
])

export function isDateShift({ type }: EventDraft): boolean {
  return SHIFTS.has(type)
}

/** The shipment, invoice or order whose dates an event may carry; null where it is about anything else. */
function datedSubject({ subject }: EventDraft): DatedSubject | null {
  const { resource, id } = subject
  const isDated = resource === 'shipment' || resource === 'invoice' || resource === 'purchase_order'
  return isDated ? { resource, id } : null
}

/**
 * The dates that an event is about: of its `date_change`, of a `milestone` and its `date`, of `due_date`, and every one of a
 * record that is reported whole. Other events show dates in their `object` too, but do not report them. To count those would
 * hide a drift that was never sent.
 */
function carriedDates(event: EventDraft): readonly CarriedDate[] {
  const subject = datedSubject(event)
  if (subject === null) return []
  const { extras, object, changes, cause } = event
  if (subject.resource === 'purchase_order') return expectedOf(event)
  const change = field(extras, 'date_change')
  if (isJsonObject(change)) return milestoneOf(change)
  const milestone = milestoneNamed(field(extras, 'milestone'))
  if (milestone !== undefined && Object.hasOwn(extras, 'date'))
    return [{ date: milestone, to: parseInstant(field(extras, 'date')) }]
  if (Object.hasOwn(extras, 'due_date')) return [{ date: 'due', to: dayOf(extras['due_date']) }]
  if (isDateShift(event)) return [{ date: 'due', from: dayOf(extras['from']), to: dayOf(extras['to']) }]
  if (object === null || changes !== null || cause === 'calendar') return []
  if (subject.resource === 'invoice') return [{ date: 'due', to: dayOf(field(object, 'due_date')) }]
  return MILESTONES.map((date) => ({ date, to: trackingInstant(object, date) }))
}

/** The expected delivery of an order, where an event is about it. */
function expectedOf({ cause, extras, type }: EventDraft): readonly CarriedDate[] {
  if (cause === 'snapshot')
    return [{ date: 'expected', to: parseInstant(field(field(field(extras, 'order_status'), 'expected'), 'date')) }]
  if (cause !== 'derived') return []
  if (type === 'purchase_order.delivered') return [{ date: 'expected', to: parseInstant(field(extras, 'date')) }]
  if (!Object.hasOwn(extras, 'to')) return []
  const instantOf = (side: 'from' | 'to'): number | null => parseInstant(field(field(extras, side), 'date'))
  const from = type === 'purchase_order.eta_changed' ? { from: instantOf('from') } : {}
  return [{ date: 'expected', ...from, to: instantOf('to') }]
}

function milestoneOf(change: Json): readonly CarriedDate[] {
  const date = milestoneNamed(field(change, 'milestone'))
  const instantOf = (side: 'from' | 'to'): number | null => parseInstant(field(field(change, side), 'date'))
  return date === undefined ? [] : [{ date, from: instantOf('from'), to: instantOf('to') }]
}

function milestoneNamed(name: Json | undefined): RoutedDate | undefined {
  return MILESTONES.find((milestone) => milestone === name)
}

/** Due dates are calendar dates. */
function dayOf(value: Json | undefined): number | null {
  const day = readDay(value)
  return day === null ? parseInstant(value) : Date.parse(day)
}
