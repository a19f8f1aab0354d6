import type { ShipbellEvent } from '../../model/event.ts'
import { field, rawEqual, textField, type Json, type JsonObject } from '../../model/json.ts'
import { changedMilestone, foldDate, foldExpected } from './date-fold.ts'
import type { Several } from './net-entry.ts'
import { foldContainer, foldLeaves, foldPair, foldReferences, foldTracked, foldValue } from './value-fold.ts'

/** What several events say as one; null where nothing is different in the end. */
type Fold = (events: Several) => ShipbellEvent | null

interface Topic {
  /** Events of one subject with one key are about one thing. */
  readonly key: string
  readonly fold: Fold
}

/** Events about one thing of one subject, oldest first. */
export interface TopicEvents<E extends ShipbellEvent> {
  readonly key: string
  readonly fold: Fold
  readonly events: Several<E>
}

/** The events of one subject by what they are about, in the order in which each began. */
export function byTopic<E extends ShipbellEvent>(events: readonly E[]): readonly TopicEvents<E>[] {
  const found: TopicEvents<E>[] = []
  for (const event of events) {
    const topic = topicOf(event)
    const place = found.findLastIndex((each) => each.key === topic.key && continues(each, event))
    const known = found[place]
    if (known === undefined) found.push({ ...topic, events: [event] })
    else found[place] = { ...known, events: [...known.events, event] }
  }
  return found
}

/** Events of tracking have no id: what one says was before is what the one before it said. */
function continues({ key, events }: TopicEvents<ShipbellEvent>, event: ShipbellEvent): boolean {
  if (key !== TRACKED) return true
  const [is, was] = [(events.at(-1) ?? events[0]).extras['event'] ?? null, event.extras['previous_event'] ?? null]
  return is !== null && was !== null && rawEqual(is, was)
}

const TRACKED = 'tracked'

function topicOf(event: ShipbellEvent): Topic {
  const { cause, id, type } = event
  // What a test tells of did not happen: it nets out with nothing.
  if (cause === 'test') return { key: `event:${id}`, fold: foldLast }
  const milestone = changedMilestone(event)
  if (milestone !== null) return { key: `date:${milestone}`, fold: foldDate }
  const known = KNOWN.find(({ of }) => of.test(type))
  if (known === undefined) return { key: `event:${id}`, fold: foldLast }
  // An event whose content has expired says no value: it stands for itself.
  if (known.by?.(event) === null) return { key: `event:${id}`, fold: foldLast }
  return { key: known.key?.(event) ?? known.by?.(event) ?? type, fold: known.fold }
}

interface KnownTopic {
  readonly of: RegExp
  readonly fold: Fold
  /** What tells things of one kind apart; null: the event does not say. */
  readonly by?: (event: ShipbellEvent) => string | null
  /** The key, where it is not the type alone. */
  readonly key?: (event: ShipbellEvent) => string
}

const KNOWN: readonly KnownTopic[] = [
  { of: /^shipment\.milestone_overdue$/, fold: foldLast, by: named('overdue', 'milestone') },
  { of: /\.delivery_(?:at_risk|back_on_track)$/, fold: foldPair, key: () => 'risk' },
  { of: /^purchase_order\.eta_changed$/, fold: foldExpected, by: valued, key: () => 'date:expected' },
  { of: /^invoice\.(?:due_soon|due|overdue|overdue_cleared)$/, fold: foldDue, key: () => 'due' },
  { of: /^shipment\.references_changed$/, fold: foldReferences },
  { of: /^shipment\.container_/, fold: foldContainer, by: containerOf },
  { of: /^tracking\.event_/, fold: foldTracked, by: trackedOf, key: () => TRACKED },
  { of: /^purchase_order\.(?:un)?assigned$/, fold: foldPair, by: lineOf },
  { of: /^expectation\./, fold: foldExpectation, by: named('expectation', 'expectation') },
  { of: /^purchase_order\.shipment_status_changed$/, fold: foldValue, by: named('status', 'shipment_id') },
  {
    of: /\.(?:(?:invoice_)?status_changed|due_date_changed|amount_changed|rolled|rerouted|quote_accepted)$/,
    fold: foldValue,
    by: valued,
  },
  { of: /\.(?:cargo_ready|desired_delivery)_date_changed$/, fold: foldValue, by: valued },
  { of: /\.(?:\w+_)?updated$|\.shipped_quantity_changed$/, fold: foldLeaves, by: changedOf },
  { of: /\.position_changed$|^document\.classified$/, fold: foldLast },
  {
    of: /^account\.(?:unreachable|unauthorized|paused|list_incomplete|list_stale|recovered)$/,
    fold: foldLast,
    key: ({ extras, type }) => `${isOfStaleList(type, extras) ? 'stale' : 'reach'}:${textField(extras, 'resource')}`,
  },
  { of: /^endpoint\.(?:failing|disabled|recovered)$/, fold: foldLast, key: () => 'endpoint' },
]

/** A list that is stale can be read: that it is well again says nothing of one that cannot. */
function isOfStaleList(type: string, extras: JsonObject): boolean {
  return type === 'account.list_stale' || textField(extras, 'was') === 'list_stale'
}

function named(kind: string, name: string): (event: ShipbellEvent) => string | null {
  return ({ extras }) => {
    const value = textField(extras, name)
    return value === null ? null : `${kind}:${value}`
  }
}

/** A change of one value says both of its sides. */
function valued({ extras, type }: ShipbellEvent): string | null {
  return Object.hasOwn(extras, 'from') && Object.hasOwn(extras, 'to') ? `value:${type}` : null
}

function changedOf({ changes, extras, type }: ShipbellEvent): string | null {
  return changes === null ? null : `${type}:${textField(extras, 'shipment_id')}`
}

function containerOf({ extras, id }: ShipbellEvent): string | null {
  const number = textField(field(extras, 'container'), 'container_number')
  return number === null ? `event:${id}` : `container:${number}`
}

function trackedOf({ extras }: ShipbellEvent): string | null {
  return isSaid(extras['event']) || isSaid(extras['previous_event']) ? TRACKED : null
}

function isSaid(value: Json | undefined): boolean {
  return value !== undefined && value !== null
}

function lineOf({ extras }: ShipbellEvent): string | null {
  const line = textField(field(extras, 'line'), 'reference')
  return line === null ? null : `line:${line}:${textField(extras, 'shipment_id')}`
}

/** What stands is what was said last. */
function foldLast(events: Several): ShipbellEvent {
  return events.at(-1) ?? events[0]
}

/** An invoice that came to be overdue and no longer is says nothing. */
function foldDue(events: Several): ShipbellEvent | null {
  const last = foldLast(events)
  const wasUnheard = events.length > 1 && events[0].type !== 'invoice.overdue_cleared'
  return last.type === 'invoice.overdue_cleared' && wasUnheard ? null : last
}

/** What was missed and is no longer expected says nothing; what came late is said to be late. */
function foldExpectation(events: Several): ShipbellEvent | null {
  const last = foldLast(events)
  return events[0].type === 'expectation.missed' && last.type === 'expectation.withdrawn' ? null : last
}
