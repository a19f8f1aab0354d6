import type { DeliveryStore } from '../delivery-port.ts'
import { Claimer, waiting } from './claim.ts'
import type { Database } from './database.ts'
import { endpointStore } from './endpoint-store.ts'
import { Query } from './query.ts'
import { releaseClaims } from './release-claims.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import { syncSubscriptions } from './sync-subscriptions.ts'
import { waitStore } from './wait-rows.ts'

const RECOVER = new Query<{ recovered: number }>('SELECT recover_claims(:alive::text[], :now) AS recovered')
const NEXT_DUE = Query.frequent<{ at: number | null }>('SELECT next_due(:subscriptions::text[]) AS at')

export function deliveryStore(db: Database): DeliveryStore {
  const claimer = new Claimer(db)
  return {
    ...endpointStore(db),
    ...waitStore(db),
    syncSubscriptions: (subscriptions, at) => syncSubscriptions(db, subscriptions, at),
    claim: (request) => claimer.claim(request),
    waiting: (request) => waiting(db, request),
    settle: (owner, attemptResults) => settleDeliveries(db, owner, attemptResults),
    releaseClaims: (owner, sent) => releaseClaims(db, owner, sent),
    recoverClaims: ({ alive = [], now = 0 } = {}) =>
      db.write(
        async (tx) => (await tx.one(RECOVER, { alive: alive === 'workers' ? null : alive, now }))?.recovered ?? 0,
      ),
    nextDueAt: async (subscriptions) => (await db.one(NEXT_DUE, { subscriptions: subscriptions ?? null }))?.at ?? null,
  }
}
