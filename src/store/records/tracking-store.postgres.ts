import type { RecordStore } from '../ports/record-port.ts'
import { POSTGRES, type ReportSource } from '../reports/dialect.postgres.ts'
import { awaited } from '../reports/lookup.ts'
import type { Database } from '../server/database.ts'
import { CHOSEN_FROM, type ShipmentRow, SLICE, type Tracked, Tracking } from './tracking-store.ts'

const TRACKING = new Tracking(
  tracked('closed_at IS NULL AND shipment.id > :id', 'shipment.id'),
  tracked('(closed_at, shipment.id) > (:closedAt, :id)', 'closed_at, shipment.id'),
)

/** Cuts shipments before they are joined with anything, because the planner would join all of them first. */
function tracked(after: string, order: string): Tracked<ReportSource> {
  const shipments = (limit: string): string => `(
    SELECT id, closed_at, phase, phase_until FROM records AS shipment
    WHERE account = :account AND resource = 'shipment' AND removed_at IS NULL AND ${after} ORDER BY ${order} LIMIT ${limit}
  ) AS shipment`
  const withRead = `LEFT JOIN reads AS tracking
    ON tracking.account = :account AND tracking.resource = 'tracking' AND tracking.id = shipment.id`
  const items = POSTGRES.all<ShipmentRow>(`
    SELECT shipment.id, tracking.sent_at, closed_at, phase, phase_until FROM ${shipments(`${CHOSEN_FROM}`)} ${withRead}
    WHERE tracking.sent_at IS NULL OR tracking.sent_at < :readBefore OR tracking.sent_at > :now
    ORDER BY tracking.sent_at NULLS FIRST, shipment.id LIMIT :limit`)
  return {
    end: POSTGRES.all(`
      SELECT id AS "shipmentId", closed_at AS "closedAt" FROM ${shipments(`1 OFFSET ${CHOSEN_FROM - 1}`)}`),
    upToEnd: items,
    last: items,
    slice: POSTGRES.all(`
      SELECT shipment.id, tracking.sent_at, closed_at, phase, phase_until
      FROM ${shipments(`${SLICE}`)} ${withRead} ORDER BY ${order}`),
  }
}

export function trackingStore(db: Database): Pick<RecordStore, 'trackedShipments'> {
  return {
    trackedShipments: (account, query) =>
      db.read(async (tx) => await awaited(TRACKING.shipments({ db, tx }, account, query))),
  }
}
