import type { DueQuery, TrackedPlace, TrackedQuery, TrackedShipment, TrackedSlice } from '../ports/record-port.ts'
import type { Phase } from '../../model/phase.ts'
import { type Ask, first } from '../reports/dialect.ts'
import type { Lookup, Values } from '../reports/lookup.ts'

/** All instants: what a query leaves out. */
export const EVER: Required<DueQuery> = {
  after: Number.MIN_SAFE_INTEGER,
  until: Number.MAX_SAFE_INTEGER,
  most: Number.MAX_SAFE_INTEGER,
}

export const DUE = `
  SELECT resource, id, next_edge_at AS at FROM records
  WHERE account = :account AND next_edge_at > :after AND next_edge_at <= :until AND next_edge_at IS NOT NULL
    AND removed_at IS NULL
  ORDER BY next_edge_at, resource, id LIMIT :most`

/** Nothing rings either of records whose shipment is removed. */
export const SETTLING = `
  SELECT resource, id, settles_at AS at FROM records
  WHERE account = :account AND settles_at > :after AND settles_at <= :until AND settles_at IS NOT NULL AND removed_at IS NULL
    AND NOT (resource = 'tracking' AND EXISTS (
      SELECT 1 FROM records AS shipment
      WHERE shipment.account = records.account AND shipment.resource = 'shipment' AND shipment.id = records.id
        AND shipment.removed_at IS NOT NULL))
  ORDER BY settles_at, resource, id LIMIT :most`

/** Shipments of which those that are due are chosen at once: some milliseconds. */
export const CHOSEN_FROM = 5_000
/** Shipments of one slice: some milliseconds. */
export const SLICE = 1_000

/** What is asked of shipments that are open, or of those that were closed: each behind `:id`, or behind `:closedAt` and `:id`. */
export interface Tracked<Source> {
  /** The last of so many shipments that those that are due are chosen from. */
  readonly end: Ask<Source, TrackedPlace>
  /** The items that are due of the shipments up to that one. */
  readonly upToEnd: Ask<Source, ShipmentRow>
  /** The items that are due where there are no more shipments than that. */
  readonly last: Ask<Source, ShipmentRow>
  readonly slice: Ask<Source, ShipmentRow>
}

export interface ShipmentRow {
  readonly id: string
  readonly sent_at: number | null
  readonly closed_at: number | null
  readonly phase: Phase | null
  readonly phase_until: number | null
}

type DueOnlyQuery = Omit<TrackedQuery, 'due'> & Required<TrackedQuery>['due']

const NONE: TrackedSlice = { shipments: [], after: null }

/** Answers `RecordStore.trackedShipments`: shipments that are open by their ids, then those that were closed. */
export class Tracking<Source> {
  readonly #open: Tracked<Source>
  readonly #closed: Tracked<Source>

  constructor(open: Tracked<Source>, closed: Tracked<Source>) {
    this.#open = open
    this.#closed = closed
  }

  shipments(source: Source, account: string, query: TrackedQuery): Lookup<TrackedSlice> {
    const { due: chosen, ...slice } = query
    return chosen === undefined
      ? this.#slice(source, account, slice)
      : this.#due(source, account, { ...slice, ...chosen })
  }

  /** Where the open shipments end, the first of those that were closed come with them. */
  *#due(source: Source, account: string, { after, closedAfter, ...chosen }: DueOnlyQuery): Lookup<TrackedSlice> {
    const id = after?.shipmentId ?? ''
    const closedAt = after?.closedAt ?? null
    const opened = closedAt === null ? yield* due(this.#open, source, { account, id, ...chosen }) : NONE
    if (opened.after !== null) return opened
    const from = closedAt === null ? { closedAt: closedAfter, id: '' } : { closedAt, id }
    const closed = yield* due(this.#closed, source, { account, ...from, ...chosen })
    return { shipments: [...opened.shipments, ...closed.shipments], after: closed.after }
  }

  *#slice(source: Source, account: string, { after, closedAfter }: TrackedQuery): Lookup<TrackedSlice> {
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

function* due<Source>(tracked: Tracked<Source>, source: Source, values: Values): Lookup<TrackedSlice> {
  const after = yield* first(tracked.end(source, values))
  if (after === undefined) return { shipments: (yield* tracked.last(source, values)).map(trackedShipment), after: null }
  const { closedAt: endClosedAt, shipmentId: endId } = after
  const found = yield* tracked.upToEnd(source, { ...values, endId, endClosedAt })
  return { shipments: found.map(trackedShipment), after }
}

function trackedShipment({ closed_at, id, phase, phase_until, sent_at }: ShipmentRow): TrackedShipment {
  return {
    shipmentId: id,
    lastSentAt: sent_at,
    closedAt: closed_at,
    phase: phase === null ? null : { phase, until: phase_until },
  }
}
