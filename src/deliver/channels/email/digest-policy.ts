import { latestDaily, nextDaily, type DailyTime } from '../../../model/daily-time.ts'
import type { WaitingDelivery } from '../../../store/ports.ts'
import type { BatchPolicy } from '../../batches.ts'
import { asOne, sortOut } from './sort-out.ts'

/** What one mail counts at most; what waits beyond it goes in a further mail. */
const MOST_IN_A_MAIL = 5_000

/**
 * One mail a day: what rang before the latest hour of the digest goes together, whenever that is noticed (after downtime,
 * once); younger ones are put off until the next. Tests, what a command asks for and repeats of a failed mail go at once, as does
 * what rang by a clock that was so far ahead that the next hour would come before it.
 */
export function digestPolicy(daily: DailyTime): BatchPolicy {
  return {
    most: MOST_IN_A_MAIL,
    form: (waiting, { now, forced }) => {
      const { tests, repeats, fresh } = sortOut(waiting)
      const [latest, next] = [latestDaily(now, daily), nextDaily(now, daily)]
      const isRipe = (delivery: WaitingDelivery): boolean =>
        forced || isAsked(delivery) || delivery.rangAt < latest || delivery.rangAt >= next
      const ripe = fresh.filter(isRipe)
      const young = fresh.filter((delivery) => !isRipe(delivery))
      const batches = [...tests, ...repeats, ...asOne(ripe)]
      if (young.length === 0) return { batches, waitUntil: null }
      return { batches, waitUntil: null, deferred: { deliveries: young, until: next } }
    },
  }
}

/** Made due by something else than its event: a command, or an endpoint that was opened again. */
function isAsked({ dueAt, rangAt }: WaitingDelivery): boolean {
  return dueAt > rangAt
}
