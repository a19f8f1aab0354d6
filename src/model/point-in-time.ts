import { parseDuration } from './duration.ts'
import { parseInstant } from './instant.ts'

/** A `Date` holds nothing before it. */
const EARLIEST = -8_640_000_000_000_000

/** The instant that people mean by an ISO date-time or date (UTC without an offset), or a duration ago; null for any other text. */
export function readPointInTime(text: string, now: number): number | null {
  const ago = parseDuration(text)
  if (ago !== null) return now - ago < EARLIEST ? null : now - ago
  return parseInstant(text) ?? parseInstant(`${text}Z`) ?? parseInstant(`${text}T00:00Z`)
}
