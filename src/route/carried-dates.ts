import type { EventDraft } from '../model/event.ts'
import { parseInstant } from '../model/instant.ts'
import { readDay } from '../model/iso-time.ts'
import { field, isJsonObject, type Json } from '../model/json.ts'
import type { DatedSubject, RoutedDate } from '../model/routing.ts'
import { MILESTONES, trackingInstant } from '../model/shipment.ts'

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
  'invoice.due_date_changed',
  'credit_note.due_date_changed',
])

export function isDateShift({ type }: EventDraft): boolean {
  return SHIFTS.has(type)
}

/** The shipment or invoice whose dates an event may carry; null where it is about anything else. */
export function datedSubject({ subject }: EventDraft): DatedSubject | null {
  const { resource, id } = subject
  return resource === 'shipment' || resource === 'invoice' ? { resource, id } : null
}

/**
 * The dates that an event is about: of its `date_change`, of a `milestone` and its `date`, of `due_date`, and every one of a
 * record that is reported whole. Other events show dates in their `object` too, but do not report them. To count those would
 * hide a drift that was never sent.
 */
export function carriedDates(event: EventDraft): readonly CarriedDate[] {
  const subject = datedSubject(event)
  if (subject === null) return []
  const { extras, object, changes, cause } = event
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
