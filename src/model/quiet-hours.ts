import { Temporal } from 'temporal-polyfill'

/** Hours of every day, in minutes after midnight on the reader's clock; over midnight where `to` comes before `from`. */
export interface QuietHours {
  readonly fromMinutes: number
  readonly toMinutes: number
}

/** From `from`, inclusive, until `until`, in milliseconds since the epoch. */
export interface QuietTime {
  readonly from: number
  readonly until: number
}

/**
 * The quiet time that an instant lies in; null outside. Times that the clocks skip come as much later as they skip, of those
 * that they show twice the first counts, so a night has one quiet time. One that ends before it begins is none.
 */
export function quietAt(instant: number, hours: QuietHours, timeZone: string): QuietTime | null {
  const today = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate()
  const nights = [-2, -1, 0, 1].map((days) => quietTimeOf(today.add({ days }), hours, timeZone))
  return nights.find(({ from, until }) => from <= instant && instant < until) ?? null
}

function quietTimeOf(day: Temporal.PlainDate, { fromMinutes, toMinutes }: QuietHours, timeZone: string): QuietTime {
  const lastDay = fromMinutes < toMinutes ? day : day.add({ days: 1 })
  const at = (date: Temporal.PlainDate, minutes: number): number => {
    const plainTime = Temporal.PlainTime.from('00:00').add({ minutes })
    return date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds
  }
  return { from: at(day, fromMinutes), until: at(lastDay, toMinutes) }
}
