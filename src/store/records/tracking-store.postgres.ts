import type { Phase } from '../../model/phase.ts'
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
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

/** Shipments of which one slice of the queue is chosen: some milliseconds. */
const CHOSEN_FROM = 5_000
/** Shipments of one slice: some milliseconds. */
const SLICE = 1_000

const OPEN = { after: 'closed_at IS NULL AND shipment.id > :id', order: 'shipment.id' }
const CLOSED = { after: '(closed_at, shipment.id) > (:closedAt, :id)', order: 'closed_at, shipment.id' }

/** Cut before they are joined with anything. */
const shipments = ({ after, order }: typeof OPEN, limit: string): string => `
  SELECT id, closed_at, phase, phase_until FROM records AS shipment
  WHERE account = :account AND resource = 'shipment' AND removed_at IS NULL AND ${after} ORDER BY ${order} LIMIT ${limit}`
const WITH_READ = `
  LEFT JOIN reads AS tracking
    ON tracking.account = :account AND tracking.resource = 'tracking' AND tracking.id = shipment.id`

/** The last shipment of a slice after which more may follow, and its items that are due. */
function due(part: typeof OPEN) {
  const items = new Query<TrackingItem>(`
    SELECT shipment.id AS "shipmentId", tracking.sent_at AS "lastSentAt"
    FROM (${shipments(part, `${CHOSEN_FROM}`)}) AS shipment ${WITH_READ}
    WHERE tracking.sent_at IS NULL OR tracking.sent_at < :readBefore OR tracking.sent_at > :now
    ORDER BY tracking.sent_at NULLS FIRST, shipment.id LIMIT :limit`)
  const end = new Query<TrackedPlace>(`
    SELECT id AS "shipmentId", closed_at AS "closedAt" FROM (${shipments(part, `1 OFFSET ${CHOSEN_FROM - 1}`)}) AS shipment`)
  return { items, end }
}

const OPEN_DUE = due(OPEN)
const CLOSED_DUE = due(CLOSED)

function slice(part: typeof OPEN): Query<ShipmentRow> {
  return new Query(`
    SELECT shipment.id, tracking.sent_at, closed_at, phase, phase_until
    FROM (${shipments(part, `${SLICE}`)}) AS shipment ${WITH_READ} ORDER BY ${part.order}`)
}

const OPEN_SLICE = slice(OPEN)
const CLOSED_SLICE = slice(CLOSED)

interface ShipmentRow {
  readonly id: string
  readonly sent_at: number | null
  readonly closed_at: number | null
  readonly phase: Phase | null
  readonly phase_until: number | null
}

export function trackingStore(db: Database): Pick<RecordStore, 'trackingQueue' | 'trackedShipments'> {
  return {
    trackingQueue: async (account, query) => await db.read(async (tx) => await queueSlice(tx, account, query)),
    trackedShipments: async (account, query) => await db.read(async (tx) => await trackedSlice(tx, account, query)),
  }
}

/** A slice in the order of `trackedSlice`; where the open shipments end, the first of those that were closed come with them. */
async function queueSlice(
  tx: Transaction,
  account: string,
  { after, closedAfter, ...chosen }: TrackingQuery,
): Promise<QueueSlice> {
  const id = after?.shipmentId ?? ''
  const closedAt = after?.closedAt ?? null
  const opened = closedAt === null ? await dueOf(tx, OPEN_DUE, { account, id, ...chosen }) : NONE
  if (opened.after !== null) return opened
  const from = closedAt === null ? { closedAt: closedAfter, id: '' } : { closedAt, id }
  const closed = await dueOf(tx, CLOSED_DUE, { account, ...from, ...chosen })
  return { items: [...opened.items, ...closed.items], after: closed.after }
}

const NONE: QueueSlice = { items: [], after: null }

type DueValues = Readonly<Record<'account' | 'id', string> & Record<'readBefore' | 'now' | 'limit', number>>

async function dueOf(tx: Transaction, { end, items }: ReturnType<typeof due>, values: DueValues): Promise<QueueSlice> {
  return { items: await tx.all(items, values), after: (await tx.one(end, values)) ?? null }
}

/** A slice of the shipments: those that are open, by their ids, then those that were closed. */
async function trackedSlice(
  tx: Transaction,
  account: string,
  { after, closedAfter }: TrackedQuery,
): Promise<TrackedSlice> {
  const id = after?.shipmentId ?? ''
  const closedAt = after?.closedAt ?? null
  const open = closedAt === null ? await tx.all(OPEN_SLICE, { account, id }) : []
  const from = closedAt === null ? { closedAt: closedAfter, id: '' } : { closedAt, id }
  const rows = open.length > 0 ? open : await tx.all(CLOSED_SLICE, { account, ...from })
  const last = rows.at(-1)
  const isLast = last === undefined || (last.closed_at !== null && rows.length < SLICE)
  return {
    shipments: rows.map(trackedShipment),
    after: isLast ? null : { shipmentId: last.id, closedAt: last.closed_at },
  }
}

function trackedShipment({ closed_at, id, phase, phase_until, sent_at }: ShipmentRow): TrackedShipment {
  return {
    shipmentId: id,
    lastSentAt: sent_at,
    closedAt: closed_at,
    phase: phase === null ? null : { phase, until: phase_until },
  }
}
