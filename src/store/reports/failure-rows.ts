import type { DeliveryState } from '../../model/delivery.ts'
import { failureCause } from '../../model/failure-cause.ts'
import type { FailureFilter } from '../ports/log-query-port.ts'

/** Rows that are looked at, shared among subscriptions: some milliseconds. */
const MOST_LOOKED_AT = 2_000
const LEAST_OF_ONE = 20
const MOST_OF_ONE = 500

/** Failed rows of each subscription that are looked at. */
export function failuresOfEach(subscriptions: number): number {
  const share = Math.floor(MOST_LOOKED_AT / Math.max(subscriptions, 1))
  return Math.min(Math.max(share, LEAST_OF_ONE), MOST_OF_ONE)
}

/** States of rows that failed and are not delivered, as far as a filter lets them through. */
export function failedStates({ states }: FailureFilter): readonly DeliveryState[] {
  return FAILED_STATES.filter((state) => states?.includes(state) ?? true)
}

const FAILED_STATES = ['pending', 'held', 'exhausted'] as const satisfies readonly DeliveryState[]

/** Why a row failed; null: it did not. */
export function causeOfFailure({
  error,
  status,
}: {
  readonly error: string | null
  readonly status: number | null
}): string | null {
  return error === null ? null : failureCause({ status, error })
}
