import { readDateTime } from './iso-time.ts'

/** The dates of a record are asked for a dozen times while it is judged, and named by their texts as often. */
const RECENT = new Map<string, number | null>()
const RECENT_TEXTS = new Map<number, string>()
const MOST_RECENT = 500
/** Longer texts are not kept. */
const LONGEST = 40

/**
 * The instant (milliseconds since the Unix epoch) that an ISO 8601 date-time with an offset names, in any of its forms
 * (`2027-03-05T01:00+01`, `20270305T000000,0Z`, `2027-03-04T24:00Z`); null for any other text and for dates that do not exist.
 */
export function parseInstant(text: unknown): number | null {
  if (typeof text !== 'string' || !mayBeDateTime(text)) return null
  if (text.length > LONGEST) return readInstant(text)
  let instant = RECENT.get(text)
  if (instant === undefined) {
    instant = readInstant(text)
    if (RECENT.size >= MOST_RECENT) RECENT.clear()
    RECENT.set(text, instant)
  }
  return instant
}

/** Most texts are none: where the date would end says so sooner than the expression. */
function mayBeDateTime(text: string): boolean {
  const isSpaced = text.charCodeAt(0) <= SPACE
  return isSpaced || isBetween(text[10]) || isBetween(text[8]) || isBetween(text[7])
}

const SPACE = 32

function isBetween(character: string | undefined): boolean {
  return character === 'T' || character === ' ' || character === 't'
}

function readInstant(text: string): number | null {
  const written = readDateTime(text)
  return written === null || written.offset === null ? null : written.dayStart + written.timeOfDay - written.offset
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
function parseHttpDate(text: string | null | undefined): number | null {
  const trimmed = text?.trim() ?? ''
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(trimmed)) return null
  const at = Date.parse(/ (?:GMT|UTC|[+-]\d{4})$/.test(trimmed) ? trimmed : `${trimmed} GMT`)
  return Number.isNaN(at) ? null : at
}

/** The instant that a header names: an HTTP date, or an ISO 8601 date-time, which some send in its place. */
export function parseHeaderDate(text: string): number | null {
  return parseHttpDate(text) ?? parseInstant(text)
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
