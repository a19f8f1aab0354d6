const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?([Zz]|[+-]\d{2}:?\d{2})$/
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The dates of a record are asked for a dozen times while it is judged, and named by their texts as often. */
const RECENT = new Map<string, number | null>()
const RECENT_TEXTS = new Map<number, string>()
const MOST_RECENT = 500
/** Longer texts are not kept. */
const LONGEST = 40

/**
 * The instant (milliseconds since the Unix epoch) of an ISO 8601 date-time with an offset (RFC 3339, seconds optional),
 * or null for any other text and for dates that do not exist (February 30: `Date` would roll it over).
 */
export function parseInstant(text: unknown): number | null {
  // Most texts are none: their fifth character says so sooner than the expression.
  if (typeof text !== 'string' || text[4] !== '-') return null
  if (text.length > LONGEST) return readInstant(text)
  let instant = RECENT.get(text)
  if (instant === undefined) {
    instant = readInstant(text)
    if (RECENT.size >= MOST_RECENT) RECENT.clear()
    RECENT.set(text, instant)
  }
  return instant
}

function readInstant(text: string): number | null {
  const match = DATE_TIME.exec(text)
  if (match === null) return null
  const [, year, month, date, hour, minute, second = '0', fraction = '', offset = 'Z'] = match
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const day = { year: Number(year), month: Number(month), day: Number(date) }
  const exists = isDay(day) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  const local = Date.UTC(day.year, day.month - 1, day.day, Number(hour), Number(minute), Number(second), ms)
  return exists ? local - offsetMs(offset) : null
}

/** Years before 100 mean others to `Date.UTC`, and nothing to anybody. */
function isDay({ year, month, day }: { readonly year: number; readonly month: number; readonly day: number }): boolean {
  const leaps = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return year >= 100 && day >= 1 && day <= (DAYS[month - 1] ?? 0) + (leaps ? 1 : 0)
}

function offsetMs(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0
  const sign = offset.startsWith('-') ? -1 : 1
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))) * 60_000
}

/** `2026-11-21T08:00:02.119Z` */
export function formatInstant(ms: number): string {
  let text = RECENT_TEXTS.get(ms)
  if (text === undefined) {
    text = new Date(ms).toISOString()
    if (RECENT_TEXTS.size >= MOST_RECENT) RECENT_TEXTS.clear()
    RECENT_TEXTS.set(ms, text)
  }
  return text
}

export function formatInstantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms)
}

/** An HTTP date (RFC 9110 section 5.6.7) in milliseconds since the Unix epoch; null where the text is none. */
export function parseHttpDate(text: string | null | undefined): number | null {
  const trimmed = text?.trim() ?? ''
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(trimmed)) return null
  const at = Date.parse(/\b(GMT|UTC|[+-]\d{4})$/.test(trimmed) ? trimmed : `${trimmed} GMT`)
  return Number.isNaN(at) ? null : at
}

/**
 * What the clock of whoever answered says as the answer arrives: its `Date`, and its `Age` where a cache kept it since. null
 * where it does not say.
 */
export function answerClock(header: (name: 'date' | 'age') => string | null | undefined): number | null {
  const date = parseHttpDate(header('date'))
  if (date === null) return null
  const age = header('age')?.trim() ?? ''
  return /^\d{1,9}$/.test(age) ? date + Number(age) * 1_000 : date
}
