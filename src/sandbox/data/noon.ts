import { formatInstant } from '../../model/instant.ts'

const DAY = 86_400_000

/** The data knows days; each stands for its noon, UTC (guarantee X2), which is the same day in nearly every zone. */
export function noonOf(day: number): number {
  return (day + 0.5) * DAY
}

/** A DateWithTime: `2006-06-02T12:00:00Z`. */
export function noonText(day: number): string {
  return `${formatInstant(noonOf(day)).slice(0, 19)}Z`
}
