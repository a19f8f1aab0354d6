import { DAY, HOUR } from './time.ts'

/** East of UTC, the whole year. */
const OFFSET = HOUR
const OPENS = 8
const CLOSES = 18
/** How much happens at night and on weekends beside an office hour. */
const OUTSIDE = 0.1

const OFFICE_SHARE = (5 * (CLOSES - OPENS)) / (7 * 24)
const MEAN = OFFICE_SHARE + (1 - OFFICE_SHARE) * OUTSIDE

/** The most that `businessHours` gives. */
export const BUSIEST = 1 / MEAN

/** How much faster things change at an instant than on average; its mean over a week is 1. */
export function businessHours(at: number): number {
  const local = new Date(at + OFFSET)
  const isWeekday = local.getUTCDay() >= 1 && local.getUTCDay() <= 5
  const isOpen = isWeekday && local.getUTCHours() >= OPENS && local.getUTCHours() < CLOSES
  return (isOpen ? 1 : OUTSIDE) / MEAN
}

/** An instant of an office day: `part` in [0, 1) of the time from opening to closing. */
export function inOfficeHours(midnight: number, part: number): number {
  return Math.floor(midnight / DAY) * DAY + (OPENS + part * (CLOSES - OPENS)) * HOUR - OFFSET
}
