import type { ClaimedDelivery } from '../../../store/ports.ts'
import type { Parcel } from '../../parcels.ts'

export interface SortedOut {
  readonly tests: readonly Parcel[]
  /** Mails that failed before, each with what it held then: the deliveries of one attempt are due again at one instant. */
  readonly repeats: readonly Parcel[]
  readonly fresh: readonly ClaimedDelivery[]
}

export function sortOut(waiting: readonly ClaimedDelivery[]): SortedOut {
  const others = waiting.filter((delivery) => !isTest(delivery))
  const tried = others.filter(({ attempts }) => attempts > 0)
  return {
    tests: waiting.filter(isTest).map((delivery) => [delivery]),
    repeats: [...Map.groupBy(tried, ({ dueAt }) => dueAt).values()].flatMap(asOne),
    fresh: others.filter(({ attempts }) => attempts === 0),
  }
}

/** One parcel of all; none where there is nothing. */
export function asOne(deliveries: readonly ClaimedDelivery[]): readonly Parcel[] {
  const [first, ...rest] = deliveries
  return first === undefined ? [] : [[first, ...rest]]
}

function isTest({ event }: ClaimedDelivery): boolean {
  return event.cause === 'test'
}
