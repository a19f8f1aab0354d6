import { latestDaily, nextDaily, type DailyTime } from '../../../model/daily-time.ts'
import type { WaitingDelivery } from '../../../store/ports/delivery-port.ts'
import { type BatchPolicy, type Batch, bySubject, gatheredAt, MOST_SINGLE } from '../../batches.ts'

const MOST_IN_A_MAIL = 1_000

/** A mail for each shipment with its tracking, or other record; more than five that come in one burst, of one pass for example, are one mail. */
export const BURST_POLICY: BatchPolicy = {
  most: MOST_IN_A_MAIL,
  form: (waiting, { now, forced }) => {
    const { tests, repeats, fresh } = sortOut(waiting)
    const over = gatheredAt(fresh.map(({ dueAt }) => Math.min(dueAt, now)))
    const gathers = fresh.length > 0 && !forced && now < over
    if (gathers) return { batches: [...tests, ...repeats], waitUntil: over }
    const subjects = bySubject(fresh)
    const singly = subjects.length > MOST_SINGLE ? asOne(fresh) : subjects
    return { batches: [...tests, ...repeats, ...singly], waitUntil: null }
  },
}

/** What one mail counts at most; what waits beyond it goes in a further mail. */
const MOST_IN_A_DIGEST = 20_000

/**
 * One mail a day. Events from before the latest hour of the digest go together, whenever that is noticed (after downtime:
 * once). Younger events are put off until the next hour. Tests, what a command asks for and repeats of a failed mail go at once.
 * So do events that rang by a clock so far ahead that the next hour would come before them.
 */
export function digestPolicy(daily: DailyTime): BatchPolicy {
  return {
    most: MOST_IN_A_DIGEST,
    form: (waiting, { now, forced }) => {
      const { tests, repeats, fresh } = sortOut(waiting)
      const [latest, next] = [latestDaily(now, daily), nextDaily(now, daily)]
      const isRipe = (delivery: WaitingDelivery): boolean =>
        forced || isAsked(delivery) || delivery.rangAt < latest || delivery.rangAt >= next
      const ripe = fresh.filter(isRipe)
      const young = fresh.filter((delivery) => !isRipe(delivery))
      const batches = [...tests, ...repeats, ...asOne(ripe)]
      if (young.length === 0) return { batches, waitUntil: null }
      return { batches, waitUntil: null, deferred: [{ deliveries: young, until: next }] }
    },
  }
}

/** Whether something else than its event made a delivery due: a command. */
function isAsked({ dueAt, rangAt }: WaitingDelivery): boolean {
  return dueAt > rangAt
}

interface SortedOut<D extends WaitingDelivery> {
  readonly tests: readonly Batch<D>[]
  /** Mails that failed before, each with what it held then: the deliveries of one attempt are due again at one instant. */
  readonly repeats: readonly Batch<D>[]
  readonly fresh: readonly D[]
}

function sortOut<D extends WaitingDelivery>(waiting: readonly D[]): SortedOut<D> {
  const others = waiting.filter((delivery) => !isTest(delivery))
  const tried = others.filter(({ attempts }) => attempts > 0)
  return {
    tests: waiting.filter(isTest).map((delivery) => [delivery]),
    repeats: [...Map.groupBy(tried, ({ dueAt }) => dueAt).values()].flatMap(asOne),
    fresh: others.filter(({ attempts }) => attempts === 0),
  }
}

/** One batch of all; none where there is nothing. */
function asOne<D extends WaitingDelivery>(deliveries: readonly D[]): readonly Batch<D>[] {
  const [first, ...rest] = deliveries
  return first === undefined ? [] : [[first, ...rest]]
}

function isTest({ event }: WaitingDelivery): boolean {
  return event.cause === 'test'
}
