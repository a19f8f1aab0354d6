import type { Life } from '../life/life.ts'

const DAY = 86_400_000

/** Goods are ready the day before the pickup that is hoped for (days since the Unix epoch). */
export function readyDay(life: Life, time: number): number {
  const { pickup } = life.course.milestones
  const hoped = pickup.findLast(({ at, value }) => at <= time && value.status !== 'actual') ?? pickup[0]
  return Math.floor((hoped?.value.instant ?? life.brief.bornAt) / DAY) - 1
}
