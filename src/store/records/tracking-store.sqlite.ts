import type { RecordStore } from '../ports/record-port.ts'
import type { Connection } from '../file/connection.ts'
import { SQLITE } from '../reports/dialect.sqlite.ts'
import { atOnce } from '../reports/lookup.ts'
import { CHOSEN_FROM, SLICE, type ShipmentRow, type Tracked, Tracking } from './tracking-store.ts'

const TRACKING = new Tracking(
  tracked('closed_at IS NULL AND shipment.id > :id', { upToEnd: 'AND shipment.id <= :endId', order: 'shipment.id' }),
  tracked('(closed_at, shipment.id) > (:closedAt, :id)', {
    upToEnd: 'AND (closed_at, shipment.id) <= (:endClosedAt, :endId)',
    order: 'closed_at, shipment.id',
  }),
)

/** Cuts by ranges of the index that it is told of, because SQLite does not choose one by how many shipments there are. */
function tracked(
  after: string,
  { order, upToEnd }: { readonly upToEnd: string; readonly order: string },
): Tracked<Connection> {
  const shipments = 'records AS shipment INDEXED BY records_tracked'
  const withRead = `${shipments} LEFT JOIN reads AS tracking
    ON tracking.account = :account AND tracking.resource = 'tracking' AND tracking.id = shipment.id`
  const those = `shipment.account = :account AND shipment.resource = 'shipment' AND removed_at IS NULL AND ${after}`
  // By the index alone, which has no phases: only the rows of those that are chosen are read.
  const items = (range: string): string => `
    SELECT id, due.sent_at, closed_at, phase, phase_until
    FROM (
      SELECT shipment.ref, tracking.sent_at FROM ${withRead}
      WHERE ${those} ${range} AND (tracking.sent_at IS NULL OR tracking.sent_at < :readBefore OR tracking.sent_at > :now)
      ORDER BY tracking.sent_at NULLS FIRST, shipment.id LIMIT :limit
    ) AS due CROSS JOIN records USING (ref) ORDER BY due.sent_at NULLS FIRST, id`
  return {
    end: SQLITE.all(`
      SELECT shipment.id AS shipmentId, closed_at AS closedAt FROM ${shipments}
      WHERE ${those} ORDER BY ${order} LIMIT 1 OFFSET ${CHOSEN_FROM - 1}`),
    upToEnd: SQLITE.all<ShipmentRow>(items(upToEnd)),
    last: SQLITE.all<ShipmentRow>(items('')),
    slice: SQLITE.all(`
      SELECT shipment.id, tracking.sent_at, closed_at, phase, phase_until FROM ${withRead}
      WHERE ${those} ORDER BY ${order} LIMIT ${SLICE}`),
  }
}

export function trackingStore(db: Connection): Pick<RecordStore, 'trackedShipments'> {
  return {
    trackedShipments: (account, query) => db.read(() => atOnce(TRACKING.shipments(db, account, query))),
  }
}
