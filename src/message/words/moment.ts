import { isJsonObject, textField, type Json } from '../../model/json.ts'
import { parseInstant } from '../../model/instant.ts'
import { isCalendarDate } from '../../model/zoned-day.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * A date-time as people read it, in the offset that it was sent with: `Sat 12 Dec 2026, 10:00 UTC`. A calendar date:
 * `Sat 12 Dec 2026`. A TrackingDate: its date. Anything else as it is; '' where there is nothing.
 */
export function moment(value: Json | undefined): string {
  if (value !== undefined && isJsonObject(value)) return moment(value['date'])
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (isCalendarDate(text)) return day(text)
  return parseInstant(text) === null ? text : `${day(text.slice(0, 10))}, ${text.slice(11, 16)} ${offset(text)}`
}

/** Whether a TrackingDate has a date. */
export function hasDate(value: Json | undefined): boolean {
  return textField(value, 'date') !== null
}

function day(date: string): string {
  const at = new Date(`${date}T00:00:00Z`)
  return `${DAYS[at.getUTCDay()]} ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`
}

function offset(text: string): string {
  const found = /(?:[zZ]|([+-]\d{2}):?(\d{2}))$/.exec(text)
  const [, hours, minutes] = found ?? []
  return hours === undefined || `${hours}${minutes}` === '+0000' ? 'UTC' : `UTC${hours}:${minutes}`
}
