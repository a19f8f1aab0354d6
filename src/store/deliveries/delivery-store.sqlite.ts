import type { DeliveryStore } from '../ports/delivery-port.ts'
import { BodyReader } from '../documents/documents.sqlite.ts'
import { claim } from './claim.sqlite.ts'
import type { OpenClaims } from './open-claims.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { endpointNames, endpointStore } from '../endpoints/endpoint-store.sqlite.ts'
import { nextDueAt, waiting } from './waiting-rows.sqlite.ts'
import { settleDeliveries } from './settle-deliveries.sqlite.ts'
import { reconsiderAll, syncSubscriptions } from '../endpoints/sync-endpoints.sqlite.ts'
import { loadCooldowns, loadSteady, saveSteady } from '../accounts/wait-rows.sqlite.ts'

// Earlier versions wrote claims down.
const RECOVER = `
  UPDATE deliveries SET claimed_by = NULL, wake_at = NULL
  WHERE subscription = ? AND state IN ('pending', 'held', 'discarded') AND claimed_by IS NOT NULL`

/** Claims are in memory, because only the process that holds the store's lock sends. */
export function deliveryStore(db: Connection, claims: OpenClaims): DeliveryStore {
  // Events of one change are seldom claimed all at once: what the last claim unpacked is at hand for the next.
  let bodies: BodyReader | undefined
  return {
    ...endpointStore(db),
    syncSubscriptions: (subscriptions, at) => syncSubscriptions(db, subscriptions, at),
    claim: async (request) => {
      bodies = new BodyReader(db, bodies)
      const reader = bodies
      const { leaseMs, now, owner, wallNow = now } = request
      const claimed = await db.write(
        () => claim({ db, claims }, request, reader),
        ({ rows }) => claims.take(rows, { owner, at: wallNow, until: now + leaseMs }),
      )
      return claimed.deliveries
    },
    waiting: (request) => db.write(() => waiting({ db, claims }, request)),
    settle: (owner, attemptResults) => {
      db.countSettled(attemptResults.length)
      return settleDeliveries({ db, claims }, owner, attemptResults)
    },
    releaseClaims: async (owner, sent) => claims.endOthers(owner, new Set(sent)),
    recoverClaims: () =>
      db.write(
        () => endpointNames(db).reduce((recovered, name) => recovered + db.run(RECOVER, name), claims.amount),
        () => claims.endAll(),
      ),
    nextDueAt: (subscriptions) => db.read(() => nextDueAt({ db, claims }, subscriptions ?? endpointNames(db))),
    waits: () => db.read(() => ({ steady: loadSteady(db), cooldowns: loadCooldowns(db) })),
    keepSteadyTime: (mark) =>
      db.write(() => {
        saveSteady(db, mark)
        reconsiderAll(db, mark.latest - mark.aheadMs)
      }),
  }
}
