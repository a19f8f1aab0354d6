import { parseDuration } from '../../model/duration.ts'
import { parseInstant } from '../../model/instant.ts'
import { readDay } from '../../model/iso-time.ts'
import { startOfDay } from '../../model/zoned-day.ts'

const DAY_MS = 86_400_000
/** Beyond it an instant is none. */
const FARTHEST_MS = 8.64e15

/**
 * The instant that lies a length of time after a date, or before it where `direction` is -1, as `before` and `after` of expectations
 * give it; null where there is no date. A date is a tracking date, a day, which is over at its end in the zone, or a date-time. Of a
 * day, whole days are calendar days: so they too end at local midnight. Throws `RangeError` for what is no date.
 */
export function shiftedDate(date: unknown, length: string, { direction, timeZone }: Shift): Date | null {
  const ms = parseDuration(length)
  if (ms === null) throw new RangeError(`${JSON.stringify(length)} is no duration such as "3d" or "12h".`)
  const moment = momentOf(date)
  if (moment === null) return null
  const at = 'day' in moment ? shiftedDay(moment.day, direction * ms, timeZone) : moment.instant + direction * ms
  if (Math.abs(at) > FARTHEST_MS) throw new RangeError(`${JSON.stringify(length)} leads out of all time.`)
  return new Date(at)
}

interface Shift {
  readonly direction: 1 | -1
  /** IANA name. */
  readonly timeZone: string
}

function shiftedDay(day: string, ms: number, timeZone: string): number {
  const days = ms / DAY_MS
  return Number.isInteger(days) ? startOfDay(day, timeZone, 1 + days) : startOfDay(day, timeZone, 1) + ms
}

/** The instant that `by` says; null: none is known. */
export function instantOf(value: unknown, timeZone: string): number | null {
  return shiftedDate(value, '0s', { direction: 1, timeZone })?.getTime() ?? null
}

/** The ways of platforms to say that there is no date. Detection holds them equal. */
function isNothing(date: unknown): boolean {
  return date === null || date === undefined || date === '' || (Array.isArray(date) && date.length === 0)
}

function momentOf(date: unknown): { readonly day: string } | { readonly instant: number } | null {
  if (isNothing(date)) return null
  if (date instanceof Date) return { instant: date.getTime() }
  // A tracking date; as the language sees records, they are maps.
  if (date instanceof Map) return momentOf(date.get('date'))
  if (typeof date !== 'string') throw new RangeError('This is no date.')
  const instant = parseInstant(date)
  if (instant !== null) return { instant }
  const day = readDay(date)
  if (day === null) throw new RangeError(`${JSON.stringify(date.slice(0, 40))} is no date.`)
  return { day }
}
