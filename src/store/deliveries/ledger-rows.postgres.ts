import type { Delivery } from '../../model/delivery.ts'
import { type LedgerRow, toDelivery } from './ledger-rows.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import type { Attempted } from '../ports/worker-port.ts'

type Reader = Pick<Transaction, 'all' | 'one'>

// Without `claimed_by`, which files have alone, because earlier versions wrote it.
const ROW = `
  SELECT delivery.ref, delivery.id, event.id AS "eventId", event.type, event.account, delivery.subscription, delivery.state,
    delivery.attempts, delivery.last_status AS "lastStatus",
    CASE WHEN delivery.state = 'pending' AND delivery.wake_at IS NOT NULL
      THEN delivery.wake_at - (SELECT ahead FROM steady_time) ELSE delivery.next_attempt_at END AS "nextAttemptAt",
    delivery.last_error AS "lastError", event.expired_at AS "payloadExpiredAt",
    CASE WHEN delivery.turn = 0 THEN (
      SELECT first.id FROM deliveries AS first
      WHERE first.turn = 1 AND first.subscription = delivery.subscription AND first.lane = delivery.lane
    ) END AS "waitsFor",
    event.stored_at AS "storedAt", delivery.test,
    CASE WHEN delivery.state = 'pending' AND delivery.round = 0
      AND delivery.turn IS DISTINCT FROM 0 THEN delivery.wake_at END AS "deferredTo"
  FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event`
const BY_REFS = new Query<LedgerRow>(`${ROW} WHERE delivery.ref = ANY(:refs::bigint[])`)
const BY_IDS = new Query<LedgerRow>(`
  ${ROW} WHERE delivery.id = ANY(:ids::text[]) ORDER BY delivery.event DESC, delivery.ref DESC`)

/** By `ref`. */
export async function loadRows(db: Reader, refs: readonly number[]): Promise<readonly LedgerRow[]> {
  return await db.all(BY_REFS, { refs })
}

/** The deliveries of `ids` that there are, newest event first. */
export async function loadDeliveries(db: Reader, ids: readonly string[]): Promise<readonly Delivery[]> {
  return ids.length === 0 ? [] : (await db.all(BY_IDS, { ids })).map(toDelivery)
}

/** Attempts that take their numbers at once are stored one after the other: each look begins so many before the last one's end. */
const OVERLAP = 200
const MOST = 1_000

// Numbers end below those of before in a database that went back: it begins at the end there is.
const SINCE = new Query<{ ref: number; at: number; delivery: string }>(`
  SELECT attempts.ref, attempts.at, deliveries.id AS delivery FROM attempts JOIN deliveries ON deliveries.ref = attempts.delivery
  WHERE attempts.ref > least(:last, (SELECT coalesce(max(ref), 0) FROM attempts)) - ${OVERLAP}
  ORDER BY attempts.ref DESC LIMIT :most`)

export async function attemptsSince(db: Database, before: Attempted | null): Promise<Attempted> {
  const rows = await db.all(SINCE, { last: before?.last ?? Number.MAX_SAFE_INTEGER, most: MOST })
  const named = rows.map(({ at, delivery, ref }) => ({ delivery, name: `${ref} ${delivery} ${at}` }))
  const seen = before?.seen ?? new Set(named.map(({ name }) => name))
  const fresh = named.filter(({ name }) => !seen.has(name))
  return {
    last: rows[0]?.ref ?? 0,
    seen: new Set(named.map(({ name }) => name)),
    deliveries: [...new Set(fresh.map(({ delivery }) => delivery))].toReversed(),
  }
}
