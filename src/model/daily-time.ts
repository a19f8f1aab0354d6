import { Temporal } from 'temporal-polyfill'

/** A time of day in a zone, of every day or of every Monday. */
export interface DailyTime {
  /** Minutes after midnight on the clock of the zone. */
  readonly atMinutes: number
  readonly timeZone: string
  /** How often; left out: every day. */
  readonly every?: 'day' | 'week'
}

/** `08:00` */
export function clockTime(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/**
 * The last instant at or before `now` at which a clock of the zone showed the time. Each of the days has one: a time that
 * the clocks skip comes as much later as they skip (02:30 as 03:30), of one that they show twice the first counts.
 */
export function latestDaily(now: number, daily: DailyTime): number {
  return Math.max(...around(now, daily).filter((at) => at <= now))
}

/** The first such instant after `now`. */
export function nextDaily(now: number, daily: DailyTime): number {
  return Math.min(...around(now, daily).filter((at) => at > now))
}

/**
 * The instants of the day of `now` in the zone and of its neighbours, of which two lie on either side even of a day that was
 * skipped.
 */
function around(now: number, { atMinutes, timeZone, every }: DailyTime): readonly number[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  const time = Temporal.PlainTime.from('00:00').add({ minutes: atMinutes })
  // A Monday and its neighbours where it is every week.
  const monday = every === 'week' ? 1 - today.dayOfWeek : 0
  return [-2, -1, 0, 1, 2]
    .map((step) => today.add({ days: every === 'week' ? monday + 7 * step : step }))
    .map((day) => day.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds)
}
