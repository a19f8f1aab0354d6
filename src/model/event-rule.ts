import { eventTypeInfo, type EventType } from './event-catalogue.ts'
import type { EventDraft, LoggedEvent, ShipbellEvent } from './event.ts'
import { field, textField, type JsonObject } from './json.ts'
import type { Provenance } from './provenance.ts'

type DateRule = 'actual' | 'problem' | 'corrected' | 'cleared' | 'changed'

/** A changed main tracking date rings the first of these that applies (guarantee E2). */
const DATE_RULES: Readonly<Partial<Record<EventType, DateRule>>> = {
  'shipment.picked_up': 'actual',
  'shipment.departed': 'actual',
  'shipment.arrived': 'actual',
  'shipment.delivered': 'actual',
  'shipment.problem_reported': 'problem',
  'shipment.milestone_corrected': 'corrected',
  'shipment.problem_cleared': 'cleared',
  'shipment.pickup_date_changed': 'changed',
  'shipment.etd_changed': 'changed',
  'shipment.eta_changed': 'changed',
  'shipment.delivery_date_changed': 'changed',
}

/** The rule that made an event, in one sentence. */
export function ruleOf(event: EventDraft, provenance: Provenance | null): string {
  const special = dateRule(event) ?? absenceRule(event, provenance) ?? extrasRule(event)
  return special ?? eventTypeInfo(event.type)?.when ?? `The type is ${event.type}.`
}

function dateRule({ type, extras }: EventDraft): string | null {
  const rule = DATE_RULES[type]
  if (rule === undefined) return null
  const change = field(extras, 'date_change')
  const [from, to] = [textField(field(change, 'from'), 'status'), textField(field(change, 'to'), 'status')]
  const date = `Main tracking date ${textField(change, 'milestone') ?? '?'}`
  switch (rule) {
    case 'actual':
      return `${date}: its status became actual (guarantee E2).`
    case 'problem':
      return `${date}: its status became problem (guarantee E2).`
    case 'corrected': {
      const what = to === 'actual' ? "an actual's instant moved" : 'an actual was taken back'
      return `${date}: ${what} (guarantee E2).`
    }
    case 'cleared':
      return `${date}: its status left problem (guarantee E2).`
    case 'changed':
      return `${date}: ${plainDateChange(from, to)}, and no other case of guarantee E2 applies.`
    default:
      return rule satisfies never
  }
}

function plainDateChange(from: string | null, to: string | null): string {
  if (from === null) return 'it appeared'
  if (to === null) return 'it went'
  return from === to ? 'its date moved' : `it changed from ${from} to ${to}`
}

/** What it takes to believe that a record is gone, and that it is back (guarantee D6). */
function absenceRule({ type }: EventDraft, provenance: Provenance | null): string | null {
  if (type.endsWith('.restored')) return 'A removed record is shown again; what changed meanwhile rings nothing more.'
  if (!type.endsWith('.removed')) return null
  if (provenance?.missed === undefined) return null
  const { passes, accepted } = provenance.missed
  const missed = passes === 1 ? 'One complete pass missed it' : `${passes} complete passes in a row missed it`
  const fetched = provenance.exchanges.length > 0
  if (accepted) return `${missed}, and \`shipbell holds accept\` said that the removals are right.`
  if (fetched) return `${missed} and a fetch by its id answered 404.`
  return `${missed}, and no fetch by id has ever worked for this resource.`
}

function extrasRule({ type, extras }: EventDraft): string | null {
  if (type === 'shipment.status_changed' && field(extras, 'regression') === true) {
    return 'The status changed; it moved backwards.'
  }
  const expectation = textField(extras, 'expectation')
  if (type.startsWith('expectation.') && expectation !== null)
    return `The rule ${expectation} under \`expectations\`: ${eventTypeInfo(type)?.when ?? ''}`
  if (type !== 'invoice.due') return null
  return field(extras, 'reason') === 'status' ? 'Its status became due.' : 'The due day of an open invoice began.'
}

/**
 * The edge of the calendar that an event rang for, null for other families: its rule and what distinguishes it from the rule's
 * other edges, as in `data`; `time_zone` is the one whose days decided, null where that is not known.
 */
export function calendarEdge({ type, extras }: EventDraft, provenance: Provenance | null): JsonObject | null {
  if (eventTypeInfo(type)?.family !== 'calendar') return null
  const rule = [type.slice(type.indexOf('.') + 1), textField(extras, 'reason')].filter((part) => part !== null)
  const lateBy = field(extras, 'late_by')
  return {
    rule: rule.join('/'),
    due_date: textField(extras, 'due_date'),
    lead: textField(extras, 'lead'),
    milestone: textField(extras, 'milestone'),
    date: textField(extras, 'date'),
    time_zone: provenance?.timeZone ?? null,
    at: textField(extras, 'at'),
    late_by: typeof lateBy === 'number' ? lateBy : 0,
  }
}

/** An event with what led to it and what came after it. */
export interface EventStory {
  readonly event: LoggedEvent
  /** How the event came about; null: it reports nothing that was read. */
  readonly provenance: Provenance | null
  /** The events of the same subject just before and after it; null at the ends of the chain. */
  readonly previous: ShipbellEvent | null
  readonly next: ShipbellEvent | null
  /** The event that it corrects (`corrects` in its `data`); null: none. */
  readonly corrects: ShipbellEvent | null
  /** The events that corrected it, in the order they were stored. */
  readonly correctedBy: readonly ShipbellEvent[]
}
