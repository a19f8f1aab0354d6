import type { EventTypeInfo } from './event-type-info.ts'

/** What time brings about (guarantee E7, calendar events). */
export const CALENDAR_EVENT_TYPES = [
  {
    type: 'shipment.delivery_at_risk',
    family: 'calendar',
    resource: 'shipment',
    when: 'The delivery estimate moved past the desired delivery date.',
  },
  {
    type: 'shipment.delivery_back_on_track',
    family: 'calendar',
    resource: 'shipment',
    when: 'The delivery estimate is back on or before the desired delivery date.',
  },
  {
    type: 'shipment.milestone_overdue',
    family: 'calendar',
    resource: 'shipment',
    when: 'A planned or estimated date has passed and is not actual.',
  },
  {
    type: 'invoice.due_soon',
    family: 'calendar',
    resource: 'invoice',
    when: 'A configured lead before the due day of an open invoice began.',
  },
  {
    type: 'invoice.due',
    family: 'calendar',
    resource: 'invoice',
    when: 'The due day of an open invoice began, or its status became due.',
  },
  {
    type: 'invoice.overdue',
    family: 'calendar',
    resource: 'invoice',
    when: 'The day after the due date began and the invoice is open.',
  },
  {
    type: 'invoice.overdue_cleared',
    family: 'calendar',
    resource: 'invoice',
    when: 'An overdue invoice was settled, or its due date went or moved to today or later.',
  },
] as const satisfies readonly EventTypeInfo[]
