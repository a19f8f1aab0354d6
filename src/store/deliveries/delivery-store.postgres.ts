import type { DeliveryStore } from '../ports/delivery-port.ts'
import { Claimer } from './claim.postgres.ts'
import type { Database } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { endpointStore } from '../endpoints/endpoint-store.postgres.ts'
import { nextDueAt, waiting } from './waiting-rows.postgres.ts'
import { recoverClaims, releaseClaims } from './open-claims.postgres.ts'
import { settleDeliveries } from './settle-deliveries.postgres.ts'
import { syncSubscriptions } from '../endpoints/sync-endpoints.postgres.ts'
import { waitStore } from '../accounts/wait-rows.postgres.ts'

const PUT_IN_FORCE = new Query(`
  INSERT INTO in_force (config) VALUES (:config) ON CONFLICT (one) DO UPDATE SET config = excluded.config`)

/** Claims are rows, and so is the configuration in force, because other workers must see them. */
export function deliveryStore(db: Database): DeliveryStore {
  const claimer = new Claimer(db)
  return {
    ...endpointStore(db),
    ...waitStore(db),
    syncSubscriptions: async (subscriptions, at, config) => {
      if (config !== undefined) await db.write(async (tx) => void (await tx.run(PUT_IN_FORCE, { config })))
      await syncSubscriptions(db, subscriptions, at)
    },
    claim: (request) => claimer.claim(request),
    waiting: (request) => waiting(db, request),
    settle: (owner, attemptResults) => settleDeliveries(db, owner, attemptResults),
    releaseClaims: (owner, sent) => releaseClaims(db, owner, sent),
    recoverClaims: ({ alive = [], now = 0 } = {}) =>
      db.write(async (tx) => await recoverClaims(tx, alive === 'workers' ? null : alive, now)),
    nextDueAt: (subscriptions) => nextDueAt(db, subscriptions ?? null),
  }
}
