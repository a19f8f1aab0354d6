import { alteredEvent, type ShipbellEvent } from '../../model/event.ts'
import { parseInstant } from '../../model/instant.ts'
import { field, isJsonObject, textField, type Json, type JsonObject } from '../../model/json.ts'
import { milestoneChangeType } from '../../model/milestone-change.ts'
import { MILESTONES, type Milestone } from '../../model/shipment.ts'
import type { Several } from './net-entry.ts'

/** The milestone whose date an event changed; null: it changed none. */
export function changedMilestone({ extras }: Pick<ShipbellEvent, 'extras'>): Milestone | null {
  const name = textField(field(extras, 'date_change'), 'milestone')
  return MILESTONES.find((each) => each === name) ?? null
}

/**
 * Several changes of one milestone as one, from the first value to the last, of the type that such a change rings; null where the
 * date is back.
 */
export function foldDate(events: Several): ShipbellEvent | null {
  const last = events.at(-1) ?? events[0]
  const milestone = changedMilestone(last)
  const change = field(last.extras, 'date_change')
  if (milestone === null || !isJsonObject(change)) return last
  const [from, to] = [field(field(events[0].extras, 'date_change'), 'from') ?? null, change['to'] ?? null]
  if (isSameDate(from, to)) return null
  const date_change = { ...change, from, to, ...moveOf(from, to) }
  const statuses = { from: textField(from, 'status'), to: textField(to, 'status') }
  // Where the status is as it was, the date is another.
  const type = milestoneChangeType({ milestone, ...statuses, hasMoved: true })
  return alteredEvent(last, { type, extras: { ...last.extras, date_change } })
}

/** The change of a date whose reader knew of none before. */
export function appearing(event: ShipbellEvent): ShipbellEvent {
  const change = field(event.extras, 'date_change')
  if (!isJsonObject(change) || change['from'] === null) return event
  const date_change = { ...change, from: null, ...moveOf(null, change['to'] ?? null) }
  return alteredEvent(event, { extras: { ...event.extras, date_change } })
}

/** Several changes of an order's expected delivery as one; null where it is back. */
export function foldExpected(events: Several): ShipbellEvent | null {
  const last = events.at(-1) ?? events[0]
  const [from, to] = [events[0].extras['from'] ?? null, last.extras['to'] ?? null]
  if (isSameDate(from, to)) return null
  const { shift_minutes } = moveOf(from, to)
  return alteredEvent(last, { extras: { ...last.extras, from, to, shift_minutes } })
}

function moveOf(from: Json, to: Json): { readonly shift_minutes: number | null; readonly direction: string } {
  const [before, after] = [parseInstant(field(from, 'date')), parseInstant(field(to, 'date'))]
  if (before === null || after === null) return { shift_minutes: null, direction: 'none' }
  const minutes = Math.round((after - before) / 60_000)
  return { shift_minutes: minutes, direction: minutes > 0 ? 'later' : minutes < 0 ? 'earlier' : 'none' }
}

/** Whether two TrackingDates, or none of them, say the same: one instant, however it is written, and one status. */
function isSameDate(from: Json, to: Json): boolean {
  const [before, after] = [textField(from, 'date'), textField(to, 'date')]
  const isOneInstant = before === after || (parseInstant(before) ?? before) === (parseInstant(after) ?? after)
  return isOneInstant && textField(from, 'status') === textField(to, 'status')
}

/** How far a date went, as an event says it; null: no date did. */
export function minutesOf({ extras, type }: ShipbellEvent): number | null {
  const isOfOrder = type === 'purchase_order.eta_changed'
  const minutes = field(isOfOrder ? extras : field(extras, 'date_change'), 'shift_minutes')
  return typeof minutes === 'number' && minutes !== 0 ? minutes : null
}

/** The event with the values of `more` in place of its own. */
export function withExtras(event: ShipbellEvent, more: JsonObject): ShipbellEvent {
  return alteredEvent(event, { extras: { ...event.extras, ...more } })
}
