import { parseDuration } from './duration.ts'
import { parseInstant } from './instant.ts'

/** With hyphens: eight digits alone may as well be a number. */
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A `Date` holds nothing before it. */
const EARLIEST = -8_640_000_000_000_000

/** The instant that people mean by an ISO date-time or date (UTC without an offset), or a duration ago; null for any other text. */
export function readPointInTime(text: string, now: number): number | null {
  const ago = parseDuration(text)
  if (ago !== null) return now - ago < EARLIEST ? null : now - ago
  const isDate = DATE.test(text)
  return isDate ? parseInstant(`${text}T00:00Z`) : (parseInstant(text) ?? parseInstant(`${text}Z`))
}

/** The instant that people mean by an ISO date-time or date (UTC without an offset), or a duration from now; null for any other text. */
export function readPointAhead(text: string, now: number): number | null {
  const ahead = parseDuration(text)
  return ahead === null ? readPointInTime(text, now) : now + ahead
}
