import type { RecordStore, TrackedShipment, TrackingItem } from '../record-port.ts'
import type { Phase } from '../../model/phase.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

// Two branches rather than an OR: each is a range of the index `records_tracked`, which holds all that is asked for.
const TRACKED = new Query<TrackingItem>(`
  SELECT shipment.id AS shipmentId, tracking.sent_at AS lastSentAt
  FROM (
    SELECT id FROM records INDEXED BY records_tracked
    WHERE account = :account AND resource = 'shipment' AND removed_at IS NULL AND closed_at IS NULL
    UNION ALL
    SELECT id FROM records INDEXED BY records_tracked
    WHERE account = :account AND resource = 'shipment' AND removed_at IS NULL AND closed_at >= :closedAfter
  ) AS shipment
  LEFT JOIN reads AS tracking
    ON tracking.account = :account AND tracking.resource = 'tracking' AND tracking.id = shipment.id
  WHERE tracking.sent_at IS NULL OR tracking.sent_at < :readBefore OR tracking.sent_at > :now
  ORDER BY tracking.sent_at NULLS FIRST, shipment.id
  LIMIT :limit`)

const SHIPMENTS = new Query<ShipmentRow>(`
  SELECT shipment.id, tracking.sent_at, shipment.closed_at, shipment.phase, shipment.phase_until
  FROM records AS shipment INDEXED BY records_tracked
  JOIN reads AS tracking
    ON tracking.account = :account AND tracking.resource = 'tracking' AND tracking.id = shipment.id
  WHERE shipment.account = :account AND shipment.resource = 'shipment' AND shipment.removed_at IS NULL
    AND ifnull(shipment.closed_at, :closedAfter) >= :closedAfter
  ORDER BY tracking.sent_at`)

interface ShipmentRow {
  readonly id: string
  readonly sent_at: number
  readonly closed_at: number | null
  readonly phase: Phase | null
  readonly phase_until: number | null
}

export function trackingStore(db: Connection): Pick<RecordStore, 'trackingQueue' | 'trackedShipments'> {
  return {
    trackingQueue: (account, query) => db.read(() => db.all(TRACKED, { account, ...query })),
    trackedShipments: (account, closedAfter) =>
      db.read(() => db.all(SHIPMENTS, { account, closedAfter }).map(trackedShipment)),
  }
}

function trackedShipment({ id, sent_at, closed_at, phase, phase_until }: ShipmentRow): TrackedShipment {
  return {
    shipmentId: id,
    lastSentAt: sent_at,
    closedAt: closed_at,
    phase: phase === null ? null : { phase, until: phase_until },
  }
}
