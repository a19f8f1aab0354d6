import type { ConfiguredSubscription } from '../ports/delivery-port.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { settleSlice } from './settle-slice.postgres.ts'

// Dates of subscriptions without a `min_shift` are not remembered, so those from before it was left out are stale.
const FORGET_DATES = new Query('DELETE FROM notified_dates WHERE subscription = ANY(:careless::text[])')
const REGISTER = new Query(`
  INSERT INTO endpoints (subscription) SELECT name FROM unnest(:names::text[]) AS new (name) ORDER BY name COLLATE "C"
  ON CONFLICT DO NOTHING`)
const LOCK_ALL = new Query('SELECT 1 FROM endpoints ORDER BY subscription FOR NO KEY UPDATE')
// Turns are given from the first event on; until all rows have theirs, the endpoint sends nothing. A new one has no row.
const CONFIGURE = new Query(`
  UPDATE endpoints SET configured = 1, enabled = file.enabled, ordered = file.ordered,
    queued_to = CASE WHEN endpoints.ordered = file.ordered THEN queued_to WHEN file.ordered = 1 THEN 0 END
  FROM unnest(:names::text[], :enabled::bigint[], :ordered::bigint[]) AS file (name, enabled, ordered)
  WHERE subscription = name`)
// Where a subscription is missing from the file, `enabled` says that it goes on getting rows, which are held, until it is discarded.
const LEAVE_OUT = new Query(`
  UPDATE endpoints SET configured = 0, enabled = 1 WHERE configured = 1 AND subscription <> ALL (:names::text[])`)
// A row that was discarded while it is under way is open, too, because claims are rows, and another worker may have it.
const HAS_OPEN_ROWS = `
  (EXISTS (SELECT 1 FROM deliveries WHERE state = 'pending' AND deliveries.subscription = endpoints.subscription)
  OR EXISTS (SELECT 1 FROM deliveries WHERE state = 'held' AND deliveries.subscription = endpoints.subscription)
  OR EXISTS (SELECT 1 FROM deliveries WHERE state = 'discarded' AND deliveries.subscription = endpoints.subscription)
  OR EXISTS (SELECT 1 FROM deliveries WHERE turn IS NOT NULL AND deliveries.subscription = endpoints.subscription))`
// Most of thousands of endpoints have no row to move, and to find that out one by one takes long.
const UNSETTLE_ALL = new Query(`UPDATE endpoints SET unsettled = 1, reconsidered_to = 0 WHERE ${HAS_OPEN_ROWS}`)
const SETTLE_EMPTY = new Query(`
  UPDATE endpoints SET unsettled = 0, discards_to = NULL, queued_to = NULL, reconsidered_to = NULL
  WHERE (unsettled = 1 OR queued_to IS NOT NULL) AND NOT ${HAS_OPEN_ROWS}`)

/** Rows that channels put off are due again, so that the channels decide anew: the first slice at once. */
export async function reconsiderAll(tx: Transaction, at: number): Promise<void> {
  await tx.all(LOCK_ALL)
  await tx.run(SETTLE_EMPTY)
  await tx.run(UNSETTLE_ALL)
  await settleSlice(tx, at)
}

/** `DeliveryStore.syncSubscriptions`. Holds all endpoints, because other workers send at the same time. */
export async function syncSubscriptions(
  db: Database,
  subscriptions: readonly ConfiguredSubscription[],
  at: number,
): Promise<void> {
  const names = subscriptions.map(({ name }) => name)
  const enabled = subscriptions.map((each) => (each.enabled ? 1 : 0))
  const ordered = subscriptions.map(({ order = 'none' }) => (order === 'subject' ? 1 : 0))
  const careless = subscriptions.flatMap(({ minShiftMs, name }) => ((minShiftMs ?? null) === null ? [name] : []))
  await db.write(async (tx) => {
    await tx.run(FORGET_DATES, { careless })
    await tx.run(REGISTER, { names })
    await tx.all(LOCK_ALL)
    await tx.run(CONFIGURE, { names, enabled, ordered })
    await tx.run(LEAVE_OUT, { names })
    await reconsiderAll(tx, at)
  })
}
