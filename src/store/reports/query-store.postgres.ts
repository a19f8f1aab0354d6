import { POSTGRES } from './dialect.postgres.ts'
import { EventStories } from './event-stories.ts'
import { awaited } from './lookup.ts'
import type { Attempt } from '../../model/delivery.ts'
import type { QueryStore } from '../ports/query-port.ts'
import { accountOverviews, endpointOverviews } from './overviews.postgres.ts'
import type { Database } from '../server/database.ts'
import { deferredRows } from '../endpoints/endpoint-record.postgres.ts'
import { openHolds, openUnproved } from '../lists/hold-rows.postgres.ts'
import { inOrder } from '../lists/hold-rows.ts'
import { loadDeliveries } from '../deliveries/ledger-rows.postgres.ts'
import { Query } from '../server/query.ts'

const STORIES = new EventStories(POSTGRES)

const ATTEMPTS = new Query<Attempt>(`
  SELECT at, duration_ms AS "durationMs", status, error, answer FROM attempts
  WHERE delivery = (SELECT ref FROM deliveries WHERE id = :deliveryId) ORDER BY ref`)

export function queryStore(db: Database): QueryStore {
  return {
    event: (id) => db.read(async (tx) => await awaited(STORIES.event({ db, tx }, id))),
    story: (id) => db.read(async (tx) => await awaited(STORIES.story({ db, tx }, id))),
    deliveries: (ids) => loadDeliveries(db, ids),
    attempts: (deliveryId) => db.all(ATTEMPTS, { deliveryId }),
    accounts: (now) => db.read(async (tx) => await accountOverviews({ db, tx }, now)),
    endpoints: () => endpointOverviews(db),
    deferredRows: (now, subscription) => deferredRows(db, now, subscription ?? null),
    changesSeen: (account, query) =>
      db.read(async (tx) => await awaited(STORIES.changesSeen({ db, tx }, account, query))),
    holds: async () => inOrder([...(await openHolds(db)), ...(await openUnproved(db))]),
  }
}
