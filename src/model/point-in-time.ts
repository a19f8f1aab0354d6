import { parseDuration } from './duration.ts'
import { parseInstant } from './instant.ts'
import { instantShown } from './time-zone.ts'
import { isCalendarDate, startOfDay } from './zoned-day.ts'

/** With hyphens: eight digits alone may as well be a number. */
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A `Date` holds nothing before it. */
const EARLIEST = -8_640_000_000_000_000

/** The instant that people mean by an ISO date-time or date (in `timeZone` without an offset), or a duration ago; null for any other text. */
export function readPointInTime(text: string, now: number, timeZone = 'UTC'): number | null {
  const ago = parseDuration(text)
  if (ago !== null) return now - ago < EARLIEST ? null : now - ago
  const instant = parseInstant(text)
  if (instant !== null) return instant
  if (timeZone !== 'UTC' && isCalendarDate(text)) return startOfDay(text, timeZone)
  const shown = parseInstant(DATE.test(text) ? `${text}T00:00Z` : `${text}Z`)
  return shown === null ? null : instantShown(shown, timeZone)
}

/** The instant that people mean by an ISO date-time or date (in `timeZone` without an offset), or a duration from now; null for any other text. */
export function readPointAhead(text: string, now: number, timeZone = 'UTC'): number | null {
  const ahead = parseDuration(text)
  return ahead === null ? readPointInTime(text, now, timeZone) : now + ahead
}
