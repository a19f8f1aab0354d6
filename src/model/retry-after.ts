import { parseHeaderDate } from './instant.ts'

export const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000

/**
 * Milliseconds to wait from `now` (by the clock of whoever answered, where it says), of a `Retry-After` header (RFC 9110
 * section 10.2.3: seconds or an HTTP date; some send seconds with a fraction, or an ISO 8601 date), capped at 24 h and never negative; null where
 * the header is absent or unreadable.
 */
export function parseRetryAfter(header: string | null | undefined, now: number): number | null {
  if (header === null || header === undefined) return null
  const text = header.trim()
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1_000), LONGEST_RETRY_AFTER_MS)
  const date = parseHeaderDate(text)
  return date === null ? null : Math.min(Math.max(date - now, 0), LONGEST_RETRY_AFTER_MS)
}
