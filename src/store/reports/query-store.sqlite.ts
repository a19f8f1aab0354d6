import { SQLITE } from './dialect.sqlite.ts'
import { EventStories } from './event-stories.ts'
import { atOnce } from './lookup.ts'
import type { Attempt } from '../../model/delivery.ts'
import type { QueryStore } from '../ports/query-port.ts'
import { accountOverviews, deferredRows, endpointOverviews } from './overviews.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { openHolds, openUnproved } from '../lists/hold-rows.sqlite.ts'
import { inOrder } from '../lists/hold-rows.ts'
import { loadDeliveries } from '../deliveries/ledger-rows.sqlite.ts'
import { Query } from '../file/query.ts'

const STORIES = new EventStories(SQLITE)

const ATTEMPTS = new Query<Attempt>(`
  SELECT at, duration_ms AS durationMs, status, error, answer FROM attempts
  WHERE delivery = (SELECT ref FROM deliveries WHERE id = ?) ORDER BY ref`)

export function queryStore(db: Connection): QueryStore {
  return {
    event: (id) => db.read(() => atOnce(STORIES.event(db, id))),
    story: (id) => db.read(() => atOnce(STORIES.story(db, id))),
    deliveries: (ids) => db.read(() => loadDeliveries(db, ids)),
    attempts: (deliveryId) => db.read(() => db.all(ATTEMPTS, deliveryId)),
    accounts: (now) => db.read(() => accountOverviews(db, now)),
    endpoints: () => db.read(() => endpointOverviews(db)),
    deferredRows: (now, subscription) => db.read(() => deferredRows(db, now, subscription ?? null)),
    changesSeen: (account, query) => db.read(() => atOnce(STORIES.changesSeen(db, account, query))),
    holds: () => db.read(() => inOrder([...openHolds(db), ...openUnproved(db)])),
  }
}
