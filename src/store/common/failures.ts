import { failureCause } from '../../model/failure-cause.ts'

/** Rows that are looked at, shared among subscriptions: some milliseconds. */
const MOST_LOOKED_AT = 2_000
const LEAST_OF_ONE = 20
const MOST_OF_ONE = 500

/** Failed rows of each subscription that are looked at. */
export function failuresOfEach(subscriptions: number): number {
  const share = Math.floor(MOST_LOOKED_AT / Math.max(subscriptions, 1))
  return Math.min(Math.max(share, LEAST_OF_ONE), MOST_OF_ONE)
}

/** null: the row did not fail. */
export function causeOfFailure({
  error,
  status,
}: {
  readonly error: string | null
  readonly status: number | null
}): string | null {
  return error === null ? null : failureCause({ status, error })
}
