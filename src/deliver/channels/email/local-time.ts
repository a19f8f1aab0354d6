import { Temporal } from 'temporal-polyfill'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Sat 21 Nov` */
export function localDay(instant: number, timeZone: string): string {
  const { dayOfWeek, day, month } = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
  return `${DAYS[dayOfWeek - 1]} ${day} ${MONTHS[month - 1]}`
}

/** `Sat 21 Nov, 08:00` */
export function localTime(instant: number, timeZone: string): string {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
  return `${localDay(instant, timeZone)}, ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`
}
