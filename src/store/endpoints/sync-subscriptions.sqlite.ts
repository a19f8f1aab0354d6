import type { ConfiguredSubscription } from '../ports/delivery-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { forgetNotifiedDates } from '../records/date-rows.sqlite.ts'
import { settleSlice } from './settle-slice.sqlite.ts'

const KNOWN = new Query<EndpointOfFile>('SELECT subscription, enabled, ordered FROM endpoints WHERE configured = 1')
const CONFIGURE = `
  INSERT INTO endpoints (subscription, configured, enabled, ordered)
  SELECT value ->> 'subscription', 1, value ->> 'enabled', value ->> 'ordered' FROM json_each(?) WHERE true
  ON CONFLICT DO UPDATE SET configured = 1, enabled = excluded.enabled`
// Turns are given from the first event on; until all rows have theirs, the endpoint sends nothing.
const REORDER = `
  UPDATE endpoints SET ordered = file.ordered, queued_to = CASE WHEN file.ordered = 1 THEN 0 END
  FROM (SELECT value ->> 'subscription' AS name, value ->> 'ordered' AS ordered FROM json_each(?)) AS file
  WHERE subscription = file.name AND endpoints.ordered <> file.ordered`
// Where a subscription is missing from the file, `enabled` says that it goes on getting rows, which are held, until it is discarded.
const LEAVE_OUT = `
  UPDATE endpoints SET configured = 0, enabled = 1
  WHERE configured = 1 AND subscription NOT IN (SELECT value FROM json_each(?))`
// No row that was discarded is open, because claims are in memory: while one is under way, they keep its lane waiting.
const HAS_OPEN_ROWS = `
  (EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_state
    WHERE state = 'pending' AND deliveries.subscription = endpoints.subscription)
  OR EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_state
    WHERE state = 'held' AND deliveries.subscription = endpoints.subscription)
  OR EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_queue
    WHERE turn IS NOT NULL AND deliveries.subscription = endpoints.subscription))`
// Most of thousands of endpoints have no row to move, and to find that out one by one takes long.
const UNSETTLE_ALL = `UPDATE endpoints SET unsettled = 1, reconsidered_to = 0 WHERE ${HAS_OPEN_ROWS}`
const SETTLE_EMPTY = `
  UPDATE endpoints SET unsettled = 0, discards_to = NULL, queued_to = NULL, reconsidered_to = NULL
  WHERE (unsettled = 1 OR queued_to IS NOT NULL) AND NOT ${HAS_OPEN_ROWS}`

/** Rows that channels put off are due again, so that the channels decide anew: the first slice at once. */
export function reconsiderAll(db: Connection, at: number): void {
  db.run(SETTLE_EMPTY)
  db.run(UNSETTLE_ALL)
  settleSlice(db, at)
}

/** How the file has an endpoint. */
interface EndpointOfFile {
  readonly subscription: string
  readonly enabled: number
  readonly ordered: number
}

/**
 * `DeliveryStore.syncSubscriptions`, inside the caller's write transaction. Of thousands, only what differs is written, because the
 * process does nothing else while SQLite writes.
 */
export function syncSubscriptions(db: Connection, subscriptions: readonly ConfiguredSubscription[], at: number): void {
  db.run(LEAVE_OUT, JSON.stringify(subscriptions.map(({ name }) => name)))
  const known = new Map(db.all(KNOWN).map((endpoint) => [endpoint.subscription, endpoint]))
  const differing = subscriptions.map(endpointOfFile).filter(({ subscription, enabled, ordered }) => {
    const now = known.get(subscription)
    return now?.enabled !== enabled || now.ordered !== ordered
  })
  if (differing.length > 0) {
    const file = JSON.stringify(differing)
    db.run(CONFIGURE, file)
    db.run(REORDER, file)
  }
  reconsiderAll(db, at)
  const careless = subscriptions.filter(({ minShiftMs }) => (minShiftMs ?? null) === null)
  forgetNotifiedDates(
    db,
    careless.map(({ name }) => name),
  )
}

function endpointOfFile({ name, enabled, order = 'none' }: ConfiguredSubscription): EndpointOfFile {
  return { subscription: name, enabled: enabled ? 1 : 0, ordered: order === 'subject' ? 1 : 0 }
}
