import type { Delivery } from '../../model/delivery.ts'

/** A row with what the filters ask that no index serves. */
export interface LedgerRow extends Delivery {
  readonly ref: number
  readonly storedAt: number
  readonly test: number
  /** When a delivery wakes that was put off without an attempt, in steady time; null: it was not put off. */
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
