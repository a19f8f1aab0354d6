import type { WaitingDelivery } from '../../../store/ports.ts'
import type { Batch } from '../../batches.ts'

export interface SortedOut<D extends WaitingDelivery> {
  readonly tests: readonly Batch<D>[]
  /** Mails that failed before, each with what it held then: the deliveries of one attempt are due again at one instant. */
  readonly repeats: readonly Batch<D>[]
  readonly fresh: readonly D[]
}

export function sortOut<D extends WaitingDelivery>(waiting: readonly D[]): SortedOut<D> {
  const others = waiting.filter((delivery) => !isTest(delivery))
  const tried = others.filter(({ attempts }) => attempts > 0)
  return {
    tests: waiting.filter(isTest).map((delivery) => [delivery]),
    repeats: [...Map.groupBy(tried, ({ dueAt }) => dueAt).values()].flatMap(asOne),
    fresh: others.filter(({ attempts }) => attempts === 0),
  }
}

/** One batch of all; none where there is nothing. */
export function asOne<D extends WaitingDelivery>(deliveries: readonly D[]): readonly Batch<D>[] {
  const [first, ...rest] = deliveries
  return first === undefined ? [] : [[first, ...rest]]
}

function isTest({ event }: WaitingDelivery): boolean {
  return event.cause === 'test'
}
