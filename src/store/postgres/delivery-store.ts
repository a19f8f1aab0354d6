import type { DeliveryStore } from '../delivery-port.ts'
import { Claimer, waiting } from './claim.ts'
import type { Database } from './database.ts'
import { endpointStore } from './endpoint-store.ts'
import { Query } from './query.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import { syncSubscriptions } from './sync-subscriptions.ts'
import { waitStore } from './wait-rows.ts'

const RECOVER = new Query<{ recovered: number }>('SELECT recover_claims(:alive::text[], :now) AS recovered')
const IS_READY = `subscription = endpoint.subscription AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0`
const NEXT_DUE = Query.frequent<{ at: number | null }>(`
  SELECT min(due.at) AS at FROM endpoints AS endpoint CROSS JOIN LATERAL (
    (SELECT next_attempt_at AS at FROM deliveries WHERE gate_of(endpoint) <> 'shut' AND ${IS_READY} ORDER BY event LIMIT 1)
    UNION ALL (
      SELECT next_attempt_at FROM deliveries
      WHERE gate_of(endpoint) = 'shut' AND ${IS_READY} AND test = 1 ORDER BY event LIMIT 1
    )
    UNION ALL (
      SELECT wake_at FROM deliveries
      WHERE gate_of(endpoint) <> 'shut' AND subscription = endpoint.subscription AND state = 'pending' AND wake_at IS NOT NULL
        AND turn IS DISTINCT FROM 0
      ORDER BY wake_at LIMIT 1
    )
  ) AS due
  WHERE :subscriptions::text[] IS NULL OR endpoint.subscription = ANY(:subscriptions::text[])`)

export function deliveryStore(db: Database): DeliveryStore {
  const claimer = new Claimer(db)
  return {
    ...endpointStore(db),
    ...waitStore(db),
    syncSubscriptions: (subscriptions, at) => syncSubscriptions(db, subscriptions, at),
    claim: (request) => claimer.claim(request),
    waiting: (request) => waiting(db, request),
    settle: (owner, attemptResults) => settleDeliveries(db, owner, attemptResults),
    recoverClaims: ({ alive = [], now = 0 } = {}) =>
      db.write(
        async (tx) => (await tx.one(RECOVER, { alive: alive === 'workers' ? null : alive, now }))?.recovered ?? 0,
      ),
    nextDueAt: async (subscriptions) => (await db.one(NEXT_DUE, { subscriptions: subscriptions ?? null }))?.at ?? null,
  }
}
