import type { EventDraft } from './event.ts'
import { parseInstant } from './instant.ts'
import { asText, field, isJsonObject, type Json } from './json.ts'
import { MILESTONES, trackingDate, type Milestone } from './shipment.ts'

/** A date of a shipment as it was sent; both null: there was none. */
export interface DateText {
  readonly date: string | null
  readonly status: string | null
}

/** What an event says of one date of its shipment. */
export interface ToldDate {
  readonly milestone: Milestone
  /** What the date was; undefined: the event does not say. */
  readonly from?: DateText
  readonly to: DateText
  /** Whether the event only shows the date: a value that was learnt silently goes on to be one that nobody was told. */
  readonly isOnlyShown?: true
  /** The first value that was ever seen, and how many instants were; left out where the event does not say. */
  readonly drift?: { readonly first: string; readonly firstSeenAt: number | null; readonly revisions: number }
}

export const NO_DATE: DateText = { date: null, status: null }

/** Events of a whole shipment that show its dates for the first time, or anew. */
const WHOLE = new Set(['shipment.created', 'shipment.restored'])

/** The dates that an event reports, and those of a shipment that is gone: it may come back with them. Other events show dates in their `object` without reporting them. */
export function toldDates(event: Pick<EventDraft, 'type' | 'subject' | 'extras' | 'object'>): readonly ToldDate[] {
  const { extras, object, subject, type } = event
  if (subject.resource !== 'shipment') return []
  const change = field(extras, 'date_change')
  if (isJsonObject(change)) return changedDate(change)
  if (object === null) return []
  const dates = MILESTONES.map((milestone) => ({ milestone, to: dateText(trackingDate(object, milestone)?.raw) }))
  if (type === 'shipment.removed') return dates.map((date) => ({ ...date, isOnlyShown: true }))
  return WHOLE.has(type) ? dates : []
}

export function dateText(raw: Json | undefined): DateText {
  return isJsonObject(raw) ? { date: asText(field(raw, 'date')), status: asText(field(raw, 'status')) } : NO_DATE
}

/** Whether two texts mean the same value: an instant may be written with another offset. */
export function isSameDate(one: DateText, other: DateText): boolean {
  if (one.status !== other.status) return false
  return one.date === other.date || (instantOf(one) !== null && instantOf(one) === instantOf(other))
}

export function instantOf({ date }: DateText): number | null {
  return parseInstant(date)
}

function changedDate(change: Json): readonly ToldDate[] {
  const milestone = MILESTONES.find((name) => name === field(change, 'milestone'))
  if (milestone === undefined) return []
  const [from, to] = [dateText(field(change, 'from')), dateText(field(change, 'to'))]
  const first = asText(field(field(change, 'first'), 'date'))
  if (first === null) return [{ milestone, from, to }]
  const revisions = Number(asText(field(change, 'revision')) ?? 1)
  const firstSeenAt = parseInstant(field(field(change, 'first'), 'seen_at'))
  return [{ milestone, from, to, drift: { first, firstSeenAt, revisions } }]
}
