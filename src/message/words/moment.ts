import { formatInstant, parseInstant } from '../../model/instant.ts'
import { isJsonObject, textField, type Json } from '../../model/json.ts'
import { isCalendarDate } from '../../model/zoned-day.ts'
import { dayText, localTime } from '../wording/local-time.ts'
import { AS_SENT, type Wording } from '../wording/wording.ts'

/** `2026-12-12T10:00`; other forms of ISO 8601 are shown in UTC. */
const AS_USUAL = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}/

/**
 * A date-time as its reader's clock shows it: `Sat 12 Dec 2026, 11:00 CET`; in no zone: in the offset that it was sent with,
 * `Sat 12 Dec 2026, 10:00 UTC`. A calendar date: `Sat 12 Dec 2026`. A TrackingDate: its date. Anything else as it is; '' where
 * there is nothing.
 */
export function moment(value: Json | undefined, wording: Wording = AS_SENT): string {
  if (value !== undefined && isJsonObject(value)) return moment(value['date'], wording)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const { language, timeZone } = wording
  if (isCalendarDate(text)) return dayText(text, language)
  const instant = parseInstant(text)
  if (instant === null) return text
  if (timeZone === null) {
    const sent = AS_USUAL.test(text) ? text : formatInstant(instant)
    return `${dayText(sent.slice(0, 10), language)}, ${sent.slice(11, 16)} ${offset(sent)}`
  }
  const { date, time, zone } = localTime(instant, language, timeZone)
  return `${dayText(date, language)}, ${time} ${zone}`
}

/** Whether a TrackingDate has a date. */
export function hasDate(value: Json | undefined): boolean {
  return textField(value, 'date') !== null
}

/** Whether two TrackingDates are of one instant, however it is written. */
export function isSameMoment(one: Json | undefined, other: Json | undefined): boolean {
  const [a, b] = [textField(one, 'date'), textField(other, 'date')]
  return a !== null && b !== null && (a === b || (parseInstant(a) ?? a) === (parseInstant(b) ?? b))
}

function offset(text: string): string {
  const found = /(?:[zZ]|([+-]\d{2}):?(\d{2}))$/.exec(text)
  const [, hours, minutes] = found ?? []
  return hours === undefined || `${hours}${minutes}` === '+0000' ? 'UTC' : `UTC${hours}:${minutes}`
}
