import type { Delivery } from '../../model/delivery.ts'

/** A row with what the filters ask that no index serves. */
export interface LedgerRow extends Delivery {
  readonly ref: number
  readonly storedAt: number
  readonly test: number
  /** null unless it was put off without an attempt: when it wakes, in steady time. */
  readonly deferredTo: number | null
}

export function toDelivery(row: LedgerRow): Delivery {
  return {
    id: row.id,
    eventId: row.eventId,
    type: row.type,
    account: row.account,
    subscription: row.subscription,
    state: row.state,
    attempts: row.attempts,
    waitsFor: row.waitsFor,
    nextAttemptAt: row.nextAttemptAt,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    payloadExpiredAt: row.payloadExpiredAt,
  }
}
