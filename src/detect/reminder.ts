import { eventId } from '../model/event-id.ts'
import type { EventDraft } from '../model/event.ts'
import { formatInstant, parseInstant } from '../model/instant.ts'
import { readDay } from '../model/iso-time.ts'
import { field, textField, type JsonObject } from '../model/json.ts'
import { orderStatus } from '../model/order-fate.ts'
import type { RecordState } from '../model/record-state.ts'
import type { DueReminder } from '../model/reminder.ts'
import { summariseShipment, trackingInstant, type ShipmentSummary } from '../model/shipment.ts'
import { dayOf, daysBetween } from '../model/zoned-day.ts'

const HOUR_MS = 3_600_000

export interface ReminderInput {
  readonly due: DueReminder
  /** The record of the exception as it is known. */
  readonly state: RecordState
  /** The shipment that the record belongs to, where it is known; for a shipment it is made from the record itself. */
  readonly shipment: ShipmentSummary | null
  readonly timeZone: string
  /** The calendar's present, by which is counted how late something is. */
  readonly calendarAt: number
  readonly at: number
}

/**
 * The event that opened an exception, told again: of the record as events have reported it by now, so under its present version.
 * Pure: each reminder of an exception and a subscription has an id of its own, whenever it is made.
 */
export function reminderOf(input: ReminderInput): EventDraft {
  const { at, due, shipment, state } = input
  const { account, resource, subjectId: id, type } = due
  const number = due.number + 1
  const { lastEventId: previousEventId, reported: object, version } = state
  const parts = ['reminder', due.id, due.subscription, String(number)]
  return {
    id: eventId({ account, resource, id, version: 0, type, parts }),
    type,
    account,
    subject: { resource, id, version, previousEventId },
    timestamp: at,
    observed: null,
    cause: 'reminder',
    object,
    before: null,
    changes: null,
    shipment: resource === 'shipment' && object !== null ? summariseShipment(id, object) : shipment,
    extras: { ...asOfNow(input), reminder: number, open_since: formatInstant(due.openedAt) },
  }
}

/** What the opening event said, but how late it is by now. */
function asOfNow({ calendarAt, due, state, timeZone }: ReminderInput): JsonObject {
  const told: JsonObject = JSON.parse(due.told ?? '{}')
  const { memory, reported } = state
  if (due.resource === 'purchase_order' && reported !== null)
    return { ...told, order_status: orderStatus(reported, memory.fate, timeZone) }
  const [desired, delivery] = [readDay(field(reported, 'desired_delivery_date')), trackingInstant(reported, 'delivery')]
  if (due.type === 'shipment.delivery_at_risk' && desired !== null && delivery !== null)
    return { ...told, slack_days: daysBetween(dayOf(delivery, timeZone), desired) }
  const dueDate = textField(told, 'due_date')
  if (due.type === 'invoice.overdue' && dueDate !== null)
    return { ...told, days_overdue: daysBetween(dueDate, dayOf(calendarAt, timeZone)) }
  const date = parseInstant(told['date'])
  if (due.type === 'shipment.milestone_overdue' && date !== null)
    return { ...told, hours_late: Math.floor((calendarAt - date) / HOUR_MS) }
  return told
}
