import { Temporal } from 'temporal-polyfill'

const DAY_MS = 86_400_000

/** Whether a text is a calendar date (`YYYY-MM-DD`) that exists: February 30 does not. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const [year, month, day] = match.slice(1).map(Number)
  const date = new Date(0)
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day ?? 0)
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day
}

/**
 * The instant at which a day begins in a zone, `days` after `date`: midnight, or where the clocks skip midnight (Beirut,
 * Santiago and others in spring), the first instant after the gap. A day that a zone skipped whole begins with the next.
 */
export function startOfDay(date: string, timeZone: string, days = 0): number {
  return Temporal.PlainDate.from(date).add({ days }).toZonedDateTime(timeZone).epochMilliseconds
}

/** Whether the day of an instant in a zone comes after `date`. Most are too far from it for the zone, less than a day, to matter. */
export function isAfterDay(instant: number, date: string, timeZone: string): boolean {
  const days = (instant - Date.parse(date)) / DAY_MS
  if (days <= 0) return false
  if (days >= 2) return true
  return daysBetween(date, dayOf(instant, timeZone)) > 0
}

/** Since then the clocks of all zones change and strike midnight at whole quarters of an hour of UTC: no day begins within a quarter. */
const QUARTERS_SINCE = Date.UTC(2012, 0)
const QUARTER_MS = 900_000
const MOST_QUARTERS = 2_000
const DAYS = new Map<string, string>()

/** The calendar date of an instant in a zone. */
export function dayOf(instant: number, timeZone: string): string {
  // An offset that stands for a zone may be any.
  if (instant < QUARTERS_SINCE || /^[+-]/.test(timeZone)) return computedDay(instant, timeZone)
  const quarter = `${Math.floor(instant / QUARTER_MS)} ${timeZone}`
  const known = DAYS.get(quarter)
  if (known !== undefined) return known
  const day = computedDay(instant, timeZone)
  if (DAYS.size >= MOST_QUARTERS) DAYS.clear()
  DAYS.set(quarter, day)
  return day
}

function computedDay(instant: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** Calendar days from one date to another; negative where `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}
