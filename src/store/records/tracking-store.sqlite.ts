import type {
  QueueSlice,
  RecordStore,
  TrackedPlace,
  TrackedQuery,
  TrackedShipment,
  TrackedSlice,
  TrackingItem,
  TrackingQuery,
} from '../ports/record-port.ts'
import type { Phase } from '../../model/phase.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

/** Shipments of which one slice of the queue is chosen: some milliseconds. */
const CHOSEN_FROM = 5_000

const OPEN_DUE = due('closed_at IS NULL AND shipment.id > :id', {
  upTo: 'AND shipment.id <= :endId',
  order: 'shipment.id',
})
const CLOSED_DUE = due('(closed_at, shipment.id) > (:closedAt, :id)', {
  upTo: 'AND (closed_at, shipment.id) <= (:endClosedAt, :endId)',
  order: 'closed_at, shipment.id',
})

/** The last shipment of a slice after which more may follow, and the items up to it, or all that are left. */
function due(after: string, { upTo, order }: { readonly upTo: string; readonly order: string }) {
  const shipments = 'records AS shipment INDEXED BY records_tracked'
  const tracked = `shipment.account = :account AND shipment.resource = 'shipment' AND removed_at IS NULL AND ${after}`
  const items = (range: string): Query<TrackingItem> =>
    new Query(`
      SELECT shipment.id AS shipmentId, tracking.sent_at AS lastSentAt
      FROM ${shipments} LEFT JOIN reads AS tracking
        ON tracking.account = :account AND tracking.resource = 'tracking' AND tracking.id = shipment.id
      WHERE ${tracked} ${range} AND (tracking.sent_at IS NULL OR tracking.sent_at < :readBefore OR tracking.sent_at > :now)
      ORDER BY tracking.sent_at NULLS FIRST, shipment.id
      LIMIT :limit`)
  const end = new Query<TrackedPlace>(`
    SELECT shipment.id AS shipmentId, closed_at AS closedAt FROM ${shipments}
    WHERE ${tracked} ORDER BY ${order} LIMIT 1 OFFSET ${CHOSEN_FROM - 1}`)
  return { end, upTo: items(upTo), last: items('') }
}

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
    trackingQueue: (account, query) => db.read(() => queueSlice(db, account, query)),
    trackedShipments: (account, query) => db.read(() => trackedSlice(db, account, query)),
  }
}

/** A slice in the order of `trackedSlice`; where the open shipments end, the first of those that were closed come with them. */
function queueSlice(db: Connection, account: string, { after, closedAfter, ...chosen }: TrackingQuery): QueueSlice {
  const id = after?.shipmentId ?? ''
  const closedAt = after?.closedAt ?? null
  const opened = closedAt === null ? dueOf(db, OPEN_DUE, { account, id, ...chosen }) : NONE
  if (opened.after !== null) return opened
  const from = closedAt === null ? { closedAt: closedAfter, id: '' } : { closedAt, id }
  const closed = dueOf(db, CLOSED_DUE, { account, ...from, ...chosen })
  return { items: [...opened.items, ...closed.items], after: closed.after }
}

const NONE: QueueSlice = { items: [], after: null }

type DueValues = Readonly<Record<'account' | 'id', string> & Record<'readBefore' | 'now' | 'limit', number>>

function dueOf(db: Connection, { end, last, upTo }: ReturnType<typeof due>, values: DueValues): QueueSlice {
  const after = db.one(end, values)
  if (after === undefined) return { items: db.all(last, values), after: null }
  return { items: db.all(upTo, { ...values, endId: after.shipmentId, endClosedAt: after.closedAt }), after }
}

/** A slice of the shipments: those that are open, by their ids, then those that were closed. */
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
