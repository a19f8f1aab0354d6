/** A date-time as it is written: its day, the time of that day, and how far its clock is from UTC. */
interface WrittenTime {
  /** The beginning of the day in UTC, whatever the offset, in milliseconds since the Unix epoch. */
  readonly dayStart: number
  /** Milliseconds since the day began: 86,400,000 at 24:00. */
  readonly timeOfDay: number
  /** Milliseconds to be taken away for UTC; null where nothing is said of it. */
  readonly offset: number | null
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Calendar dates, ordinal dates and week dates of ISO 8601, in the extended form and in the basic one. */
const DATE = String.raw`(?:(?<y1>\d{4})-(?:(?<m1>\d\d)-(?<d1>\d\d)|(?<o1>\d{3})|W(?<w1>\d\d)-(?<k1>[1-7]))|(?<y2>\d{4})(?:(?<m2>\d\d)(?<d2>\d\d)|(?<o2>\d{3})|W(?<w2>\d\d)(?<k2>[1-7])))`
const TIME = String.raw`(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d))?)?(?:[.,](?<fraction>\d+))?`
const OFFSET = String.raw`(?: ?(?:(?<utc>[Zz])|(?<sign>[+\-\u2212])(?<oh>\d\d)(?::?(?<om>\d\d))?))?`

const DATE_ONLY = new RegExp(`^${DATE}$`, 'u')
const DATE_TIME = new RegExp(`^${DATE}[Tt ]${TIME}${OFFSET}$`, 'u')

type Groups = Readonly<Partial<Record<string, string>>>

/** Every form of ISO 8601 that names a day and a time; spaces around it change nothing. null: the text is none, or no such day exists. */
export function readDateTime(text: string): WrittenTime | null {
  const groups: Groups | undefined = DATE_TIME.exec(text.trim())?.groups
  if (groups === undefined) return null
  const [dayStart, timeOfDay] = [dayStartOf(groups), timeOfDayOf(groups)]
  return dayStart === null || timeOfDay === null ? null : { dayStart, timeOfDay, offset: offsetOf(groups) }
}

/** The day that a date names, `2026-11-26`; a date-time at midnight names the day that is written. null: the value names none. */
export function readDay(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const groups: Groups | undefined = DATE_ONLY.exec(value.trim())?.groups
  if (groups !== undefined) return formatDay(dayStartOf(groups))
  const written = readDateTime(value)
  return written === null || written.timeOfDay % DAY_MS !== 0 ? null : formatDay(written.dayStart + written.timeOfDay)
}

function formatDay(dayStart: number | null): string | null {
  return dayStart === null ? null : new Date(dayStart).toISOString().slice(0, 10)
}

/** Years before 100 mean others to `Date.UTC`, and nothing to anybody. */
function dayStartOf(groups: Groups): number | null {
  const of = (name: string): number | null => {
    const text = groups[`${name}1`] ?? groups[`${name}2`]
    return text === undefined ? null : Number(text)
  }
  const year = of('y') ?? 0
  if (year < 100) return null
  const [month, day, ordinal, week, weekday] = [of('m'), of('d'), of('o'), of('w'), of('k')]
  if (month !== null && day !== null) return isDay(year, month, day) ? Date.UTC(year, month - 1, day) : null
  if (ordinal !== null) return ordinal >= 1 && ordinal <= daysIn(year) ? Date.UTC(year, 0, ordinal) : null
  return weekDayStart(year, week ?? 0, weekday ?? 0)
}

function isDay(year: number, month: number, day: number): boolean {
  const leaps = month === 2 && daysIn(year) === 366
  return day >= 1 && day <= (DAYS[month - 1] ?? 0) + (leaps ? 1 : 0)
}

function daysIn(year: number): 365 | 366 {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 366 : 365
}

/** The first week of a year has the 4th of January in it, and weeks begin on Mondays. */
function weekDayStart(year: number, week: number, weekday: number): number | null {
  const fourth = Date.UTC(year, 0, 4)
  const firstMonday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS
  const monday = firstMonday + (week - 1) * 7 * DAY_MS
  // A week belongs to the year that its Thursday is in.
  const isOfYear = new Date(monday + 3 * DAY_MS).getUTCFullYear() === year
  return week >= 1 && isOfYear ? monday + (weekday - 1) * DAY_MS : null
}

/** A fraction is one of the last part that is written. */
function timeOfDayOf({ fraction = '', hour = '', minute, second }: Groups): number | null {
  const [hours, minutes, seconds] = [Number(hour), Number(minute ?? 0), Number(second ?? 0)]
  if (hours > 24 || minutes >= 60 || seconds >= 60) return null
  const unit = second !== undefined ? 1_000 : minute !== undefined ? MINUTE_MS : 60 * MINUTE_MS
  const rest = Math.floor(Number(`0.${fraction || '0'}`) * unit + 1e-6)
  const time = hours * 60 * MINUTE_MS + minutes * MINUTE_MS + seconds * 1_000 + rest
  return time <= DAY_MS ? time : null
}

function offsetOf({ oh = '', om = '0', sign, utc }: Groups): number | null {
  if (utc !== undefined) return 0
  if (sign === undefined) return null
  return (sign === '+' ? 1 : -1) * (Number(oh) * 60 + Number(om)) * MINUTE_MS
}
