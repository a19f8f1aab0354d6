import { Temporal } from 'temporal-polyfill'

/** Whether a name is one of the IANA time zone database that this Node knows; offsets (`+01:00`) are no zones: they know no summer. */
export function isTimeZone(name: string): boolean {
  // The default: to ask for it would load what is known of zones, some 7 MB.
  if (name === 'UTC') return true
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}

/**
 * The zone that somebody names, in the spelling of the database: `europe/paris` is `Europe/Paris`. An old name stays the name that
 * was given (`Asia/Calcutta`, `US/Pacific`). null: no such zone is known.
 */
export function readTimeZone(name: string): string | null {
  const given = name.trim()
  if (!isTimeZone(given)) return null
  if (given === 'UTC') return given
  return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(given).timeZoneId
}

/** The zone of all of these, whichever of its names each has; UTC where there are none or they differ. */
export function commonZone(names: readonly string[]): string {
  const [first = 'UTC', ...others] = names
  return others.every((other) => isSameZone(first, other)) ? (readTimeZone(first) ?? 'UTC') : 'UTC'
}

function isSameZone(one: string, other: string): boolean {
  const epoch = Temporal.Instant.fromEpochMilliseconds(0)
  return one === other || epoch.toZonedDateTimeISO(one).equals(epoch.toZonedDateTimeISO(other))
}

/** The instant at which the clocks of a zone show what UTC's show at `shown`; one that they skip in spring is an hour later, of two in autumn the first. */
export function instantShown(shown: number, timeZone: string): number {
  if (timeZone === 'UTC') return shown
  const wall = Temporal.Instant.fromEpochMilliseconds(shown).toZonedDateTimeISO('UTC').toPlainDateTime()
  return wall.toZonedDateTime(timeZone).epochMilliseconds
}

/** An instant with the offset that a zone has then: `2026-12-12T11:00:00+01:00`; with its milliseconds where it has some. */
export function formatInZone(at: number, timeZone: string): string {
  const offset = offsetAt(at, timeZone)
  const wall = new Date(at + offset)
    .toISOString()
    .slice(0, -1)
    .replace(/\.000$/, '')
  const minutes = Math.abs(Math.trunc(offset / MINUTE_MS))
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `${wall}${offset < 0 ? '-' : '+'}${hour}:${minute}`
}

const MINUTE_MS = 60_000

/** The time from one change of a zone's clocks to the next. */
interface Season {
  readonly from: number
  readonly to: number
  readonly offset: number
}

/** The seasons that were asked for: a list of many instants is of few. */
const SEASONS = new Map<string, Season[]>()
const MOST_SEASONS = 500

function offsetAt(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const kept = SEASONS.get(timeZone) ?? []
  const season = kept.find(({ from, to }) => at >= from && at < to)
  if (season !== undefined) return season.offset
  const added = seasonAt(at, timeZone)
  if (SEASONS.size >= MOST_SEASONS || kept.length >= MOST_SEASONS) SEASONS.clear()
  SEASONS.set(timeZone, [...kept, added])
  return added.offset
}

function seasonAt(at: number, timeZone: string): Season {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  const next = time.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY
  // A season that begins at this very instant is found from just behind it.
  const from = time.add({ milliseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds
  return { from: from ?? Number.NEGATIVE_INFINITY, to: next, offset: time.offsetNanoseconds / 1e6 }
}
