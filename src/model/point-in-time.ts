import { parseDuration } from './duration.ts'
import { parseInstant } from './instant.ts'
import { instantShown } from './time-zone.ts'
import { isCalendarDate, startOfDay } from './zoned-day.ts'

/** With hyphens: eight digits alone may as well be a number. */
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Between them what `formatInstant` writes is read back: a year of four digits, which no rule takes for one of the last century. */
const EARLIEST = Date.parse('0100-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** The instant that people mean by an ISO date-time or date (in `timeZone` without an offset), or a duration ago; null for any other text. */
export function readPointInTime(text: string, now: number, timeZone = 'UTC'): number | null {
  const ago = parseDuration(text)
  return withinYears(ago === null ? readPoint(text, timeZone) : now - ago)
}

function readPoint(text: string, timeZone: string): number | null {
  const instant = parseInstant(text)
  if (instant !== null) return instant
  if (timeZone !== 'UTC' && isCalendarDate(text)) return startOfDay(text, timeZone)
  const shown = parseInstant(DATE.test(text) ? `${text}T00:00Z` : `${text}Z`)
  return shown === null ? null : instantShown(shown, timeZone)
}

/** The instant that people mean by an ISO date-time or date (in `timeZone` without an offset), or a duration from now; null for any other text. */
export function readPointAhead(text: string, now: number, timeZone = 'UTC'): number | null {
  const ahead = parseDuration(text)
  return withinYears(ahead === null ? readPoint(text, timeZone) : now + ahead)
}

/** An instant that can be written and read back, else null. */
function withinYears(instant: number | null): number | null {
  return instant === null || instant < EARLIEST || instant > LATEST ? null : instant
}
