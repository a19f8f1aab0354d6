import type { RecordStore, TrackedQuery, TrackedShipment, TrackedSlice, TrackingItem } from '../record-port.ts'
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

/** Shipments of one slice: some milliseconds. */
const SLICE = 1_000

const OPEN = slice('closed_at IS NULL AND shipment.id > :id', 'shipment.id')
const CLOSED = slice('(closed_at, shipment.id) > (:closedAt, :id)', 'closed_at, shipment.id')

function slice(condition: string, order: string): Query<ShipmentRow> {
  return new Query(`
    SELECT shipment.id, tracking.sent_at, closed_at, phase, phase_until
    FROM records AS shipment INDEXED BY records_tracked
    LEFT JOIN reads AS tracking
      ON tracking.account = :account AND tracking.resource = 'tracking' AND tracking.id = shipment.id
    WHERE shipment.account = :account AND shipment.resource = 'shipment' AND removed_at IS NULL AND ${condition}
    ORDER BY ${order} LIMIT ${SLICE}`)
}

interface ShipmentRow {
  readonly id: string
  readonly sent_at: number | null
  readonly closed_at: number | null
  readonly phase: Phase | null
  readonly phase_until: number | null
}

export function trackingStore(db: Connection): Pick<RecordStore, 'trackingQueue' | 'trackedShipments'> {
  return {
    trackingQueue: (account, query) => db.read(() => db.all(TRACKED, { account, ...query })),
    trackedShipments: (account, query) => db.read(() => trackedSlice(db, account, query)),
  }
}

/** Those that are open, by their ids, then those that were closed. */
function trackedSlice(db: Connection, account: string, { after, closedAfter }: TrackedQuery): TrackedSlice {
  const id = after?.shipmentId ?? ''
  const closedAt = after?.closedAt ?? null
  const open = closedAt === null ? db.all(OPEN, { account, id }) : []
  const from = closedAt === null ? { closedAt: closedAfter, id: '' } : { closedAt, id }
  const rows = open.length > 0 ? open : db.all(CLOSED, { account, ...from })
  const last = rows.at(-1)
  const isLast = last === undefined || (last.closed_at !== null && rows.length < SLICE)
  return {
    shipments: rows.map(trackedShipment),
    after: isLast ? null : { shipmentId: last.id, closedAt: last.closed_at },
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
