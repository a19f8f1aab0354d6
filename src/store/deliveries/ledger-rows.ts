import type { Delivery } from '../../model/delivery.ts'
import type { Dialect } from '../reports/dialect.ts'
import type { Lookup } from '../reports/lookup.ts'

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
    position: row.position,
    state: row.state,
    attempts: row.attempts,
    waitsFor: row.waitsFor,
    nextAttemptAt: row.nextAttemptAt,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    payloadExpiredAt: row.payloadExpiredAt,
  }
}

/** Rows of the ledger: together they cost a tenth of what they cost one by one. */
export function ledgerRows<Source>({ all, isOneOf, only }: Dialect<Source>) {
  // Only a file that an earlier version left, and that was not opened for work since, has rows with a `claimed_by`.
  const isFree = only({ sqlite: 'AND delivery.claimed_by IS NULL', postgres: '' })
  // `waitsFor` is the row that has the turn; while an earlier one is under way, that one waits, too.
  const row = `
    SELECT delivery.ref, delivery.id, event.id AS "eventId", event.type, event.account, delivery.subscription, delivery.position,
      delivery.state, delivery.attempts, delivery.last_status AS "lastStatus",
      CASE WHEN delivery.state = 'pending' AND delivery.wake_at IS NOT NULL ${isFree}
        THEN delivery.wake_at - (SELECT ahead FROM steady_time) ELSE delivery.next_attempt_at END AS "nextAttemptAt",
      delivery.last_error AS "lastError", event.expired_at AS "payloadExpiredAt",
      CASE WHEN delivery.turn = 0 THEN (
        SELECT first.id FROM deliveries AS first
        WHERE first.turn = 1 AND first.subscription = delivery.subscription AND first.lane = delivery.lane
      ) END AS "waitsFor",
      event.stored_at AS "storedAt", delivery.test,
      CASE WHEN delivery.state = 'pending' ${isFree} AND delivery.round = 0
        AND delivery.turn IS DISTINCT FROM 0 THEN delivery.wake_at END AS "deferredTo"
    FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event`
  const ofRefs = all<LedgerRow>(`${row} WHERE ${isOneOf('delivery.ref', 'refs', 'bigint')}`)
  const ofIds = all<LedgerRow>(`
    ${row} WHERE ${isOneOf('delivery.id', 'ids', 'text')} ORDER BY delivery.event DESC, delivery.ref DESC`)
  return {
    *byRef(source: Source, refs: readonly number[]): Lookup<ReadonlyMap<number, LedgerRow>> {
      return new Map((yield* ofRefs(source, { refs })).map((each) => [each.ref, each]))
    },
    /** The deliveries of `ids` that there are, newest event first. */
    *byId(source: Source, ids: readonly string[]): Lookup<readonly Delivery[]> {
      return ids.length === 0 ? [] : (yield* ofIds(source, { ids })).map(toDelivery)
    },
  }
}
