import type { Delivery } from '../../model/delivery.ts'
import { toDelivery, type LedgerRow } from './ledger-rows.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

// `claimed_by`: of a store that an earlier version left, and that was not opened for work since. `waitsFor` is the row that has the turn;
// while an earlier one is under way, that one waits, too.
const ROW = `
  SELECT delivery.ref, delivery.id, event.id AS eventId, event.type, event.account, delivery.subscription, delivery.state,
    delivery.attempts, delivery.last_status AS lastStatus,
    CASE WHEN delivery.state = 'pending' AND delivery.wake_at IS NOT NULL AND delivery.claimed_by IS NULL
      THEN delivery.wake_at - (SELECT ahead FROM steady_time) ELSE delivery.next_attempt_at END AS nextAttemptAt,
    delivery.last_error AS lastError, event.expired_at AS payloadExpiredAt,
    (
      SELECT first.id FROM deliveries AS first
      WHERE delivery.turn = 0 AND first.turn = 1
        AND first.subscription = delivery.subscription AND first.lane = delivery.lane
    ) AS waitsFor,
    event.stored_at AS storedAt, delivery.test,
    CASE WHEN delivery.state = 'pending' AND delivery.claimed_by IS NULL AND delivery.round = 0
      AND delivery.turn IS NOT 0 THEN delivery.wake_at END AS deferredTo
  FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event`
const BY_REFS = new Query<LedgerRow>(`${ROW} WHERE delivery.ref IN (SELECT value FROM json_each(?))`)
const BY_IDS = new Query<LedgerRow>(`
  ${ROW} WHERE delivery.id IN (SELECT value FROM json_each(?)) ORDER BY delivery.event DESC, delivery.ref DESC`)

/** By `ref`; together they cost a tenth of what they cost one by one. */
export function loadRows(db: Connection, refs: readonly number[]): ReadonlyMap<number, LedgerRow> {
  return new Map(db.all(BY_REFS, JSON.stringify(refs)).map((row) => [row.ref, row]))
}

/** The deliveries of `ids` that there are, newest event first. */
export function loadDeliveries(db: Connection, ids: readonly string[]): readonly Delivery[] {
  return db.all(BY_IDS, JSON.stringify(ids)).map(toDelivery)
}
