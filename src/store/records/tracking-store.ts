import type { Phase } from '../../model/phase.ts'
import type {
  QueueSlice,
  TrackedPlace,
  TrackedQuery,
  TrackedShipment,
  TrackedSlice,
  TrackingItem,
  TrackingQuery,
} from '../ports/record-port.ts'
import { type Ask, first } from '../reports/dialect.ts'
import type { Lookup, Values } from '../reports/lookup.ts'

/** Shipments of which one slice of the queue is chosen: some milliseconds. */
export const CHOSEN_FROM = 5_000
/** Shipments of one slice: some milliseconds. */
export const SLICE = 1_000

/** What is asked of shipments that are open, or of those that were closed: each behind `:id`, or behind `:closedAt` and `:id`. */
export interface Tracked<Source> {
  /** The last of so many shipments that one slice of the queue is chosen from. */
  readonly end: Ask<Source, TrackedPlace>
  /** The items that are due of the shipments up to that one. */
  readonly upToEnd: Ask<Source, TrackingItem>
  /** The items that are due where there are no more shipments than that. */
  readonly last: Ask<Source, TrackingItem>
  readonly slice: Ask<Source, ShipmentRow>
}

interface ShipmentRow {
  readonly id: string
  readonly sent_at: number | null
  readonly closed_at: number | null
  readonly phase: Phase | null
  readonly phase_until: number | null
}

const NONE: QueueSlice = { items: [], after: null }

/** Answers `RecordStore.trackingQueue` and `trackedShipments`: shipments that are open by their ids, then those that were closed. */
export class Tracking<Source> {
  readonly #open: Tracked<Source>
  readonly #closed: Tracked<Source>

  constructor(open: Tracked<Source>, closed: Tracked<Source>) {
    this.#open = open
    this.#closed = closed
  }

  /** Where the open shipments end, the first of those that were closed come with them. */
  *queue(source: Source, account: string, { after, closedAfter, ...chosen }: TrackingQuery): Lookup<QueueSlice> {
    const id = after?.shipmentId ?? ''
    const closedAt = after?.closedAt ?? null
    const opened = closedAt === null ? yield* due(this.#open, source, { account, id, ...chosen }) : NONE
    if (opened.after !== null) return opened
    const from = closedAt === null ? { closedAt: closedAfter, id: '' } : { closedAt, id }
    const closed = yield* due(this.#closed, source, { account, ...from, ...chosen })
    return { items: [...opened.items, ...closed.items], after: closed.after }
  }

  *shipments(source: Source, account: string, { after, closedAfter }: TrackedQuery): Lookup<TrackedSlice> {
    const id = after?.shipmentId ?? ''
    const closedAt = after?.closedAt ?? null
    const open = closedAt === null ? yield* this.#open.slice(source, { account, id }) : []
    const from = closedAt === null ? { closedAt: closedAfter, id: '' } : { closedAt, id }
    const rows = open.length > 0 ? open : yield* this.#closed.slice(source, { account, ...from })
    const last = rows.at(-1)
    const isLast = last === undefined || (last.closed_at !== null && rows.length < SLICE)
    return {
      shipments: rows.map(trackedShipment),
      after: isLast ? null : { shipmentId: last.id, closedAt: last.closed_at },
    }
  }
}

function* due<Source>(tracked: Tracked<Source>, source: Source, values: Values): Lookup<QueueSlice> {
  const after = yield* first(tracked.end(source, values))
  if (after === undefined) return { items: yield* tracked.last(source, values), after: null }
  const { closedAt: endClosedAt, shipmentId: endId } = after
  return { items: yield* tracked.upToEnd(source, { ...values, endId, endClosedAt }), after }
}

function trackedShipment({ closed_at, id, phase, phase_until, sent_at }: ShipmentRow): TrackedShipment {
  return {
    shipmentId: id,
    lastSentAt: sent_at,
    closedAt: closed_at,
    phase: phase === null ? null : { phase, until: phase_until },
  }
}
