import { formatInstant } from '../model/instant.ts'

const DAY = 86_400_000

/** A DateWithTime in a fixed offset, to the second: `2026-11-21T10:00:00+02:00`. */
export function dateTimeText(instant: number, offsetMinutes: number): string {
  const local = formatInstant(instant + offsetMinutes * 60_000).slice(0, 19)
  const size = Math.abs(offsetMinutes)
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${twoDigits(size / 60)}:${twoDigits(size % 60)}`
}

/** A SimpleDate, of days since the Unix epoch. */
export function dayText(day: number): string {
  return formatInstant(day * DAY).slice(0, 10)
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, '0')
}
