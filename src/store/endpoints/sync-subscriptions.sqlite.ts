import type { ConfiguredSubscription } from '../ports/delivery-port.ts'
import type { Connection } from '../file/connection.ts'
import { forgetNotifiedDates } from '../records/notified-date-rows.sqlite.ts'
import { settleSlice } from './settle-slice.sqlite.ts'

const CONFIGURE = `
  INSERT INTO endpoints (subscription, configured, enabled, ordered) VALUES (:subscription, 1, :enabled, :ordered)
  ON CONFLICT DO UPDATE SET configured = 1, enabled = :enabled`
// Turns are given from the first event on; until all rows have theirs, the endpoint sends nothing.
const REORDER = `
  UPDATE endpoints SET ordered = :ordered, queued_to = CASE WHEN :ordered = 1 THEN 0 END
  WHERE subscription = :subscription AND ordered <> :ordered`
// Where a subscription is missing from the file, `enabled` says that it goes on getting rows, which are held, until it is discarded.
const LEAVE_OUT = `
  UPDATE endpoints SET configured = 0, enabled = 1
  WHERE configured = 1 AND subscription NOT IN (SELECT value FROM json_each(?))`
const UNSETTLE_ALL = 'UPDATE endpoints SET unsettled = 1, reconsidered_to = 0'

/** Rows that channels put off are due again, so that the channels decide anew: the first slice at once. */
export function reconsiderAll(db: Connection, at: number): void {
  db.run(UNSETTLE_ALL)
  settleSlice(db, at)
}

/** `DeliveryStore.syncSubscriptions`, inside the caller's write transaction. */
export function syncSubscriptions(db: Connection, subscriptions: readonly ConfiguredSubscription[], at: number): void {
  db.run(LEAVE_OUT, JSON.stringify(subscriptions.map(({ name }) => name)))
  for (const { name: subscription, enabled, order = 'none' } of subscriptions) {
    const endpoint = { subscription, ordered: order === 'subject' ? 1 : 0 }
    db.run(CONFIGURE, { ...endpoint, enabled: enabled ? 1 : 0 })
    db.run(REORDER, endpoint)
  }
  reconsiderAll(db, at)
  const careless = subscriptions.filter(({ minShiftMs }) => (minShiftMs ?? null) === null)
  forgetNotifiedDates(
    db,
    careless.map(({ name }) => name),
  )
}
