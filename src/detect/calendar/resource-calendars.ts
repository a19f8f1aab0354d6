import type { SubjectResource } from '../../model/resource.ts'
import type { CalendarRules } from './calendar-rules.ts'
import { invoiceCalendar } from './invoice-calendar.ts'
import { shipmentCalendar } from './shipment-calendar.ts'

/** Records of other resources know no calendar. */
export const RESOURCE_CALENDARS: Readonly<Partial<Record<SubjectResource, CalendarRules>>> = {
  invoice: invoiceCalendar,
  shipment: shipmentCalendar,
}
