import { failureCause } from '../../model/failure-cause.ts'
import type { DeliveryQuery } from '../ports/log-query-port.ts'
import type { LedgerRow } from '../deliveries/ledger-rows.ts'

/** The name of the list in its cursors. */
export const DELIVERY_LIST = 'deliveries'

/** Rows that a page looks at where an index does not find just those that are asked for: some milliseconds. */
export const MOST_ROWS_LOOKED_AT = 300

export const UNDELIVERED = ['pending', 'held', 'exhausted'] as const

/** What no index has asked of a row. `aheadMs`: of steady time. */
export function deliveryMatcher(query: DeliveryQuery, aheadMs: number): (row: LedgerRow) => boolean {
  const { account, cause, since, states, subscription, tests = true, undelivered } = query
  const steadyNow = undelivered === undefined ? 0 : undelivered.now + aheadMs
  return (row) =>
    (account === undefined || row.account === account) &&
    (subscription === undefined || row.subscription === subscription) &&
    (since === undefined || row.storedAt >= since) &&
    (tests || row.test === 0) &&
    (states === undefined || states.includes(row.state)) &&
    (undelivered === undefined || isUndelivered(row, steadyNow)) &&
    (cause === undefined || causeOf(row) === cause)
}

function isUndelivered({ deferredTo, state, test }: LedgerRow, steadyNow: number): boolean {
  if (test === 1 || state === 'delivered' || state === 'discarded') return false
  return deferredTo === null || deferredTo <= steadyNow
}

function causeOf({ lastError, lastStatus, state }: LedgerRow): string | null {
  if (lastError === null || state === 'delivered' || state === 'discarded') return null
  return failureCause({ status: lastStatus, error: lastError })
}
