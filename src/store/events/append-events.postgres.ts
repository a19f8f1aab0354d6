import { NO_ACCOUNT } from '../../model/account.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { Provenance } from '../../model/provenance.ts'
import { deliveryId, laneOf } from '../deliveries/delivery-names.ts'
import { plainColumns, textColumns } from './event-rows.ts'
import { EventTotals } from './event-totals.ts'
import type { Transaction } from '../server/database.ts'
import type { Slot } from '../documents/documents.postgres.ts'
import { jsonRows } from '../server/json-rows.ts'
import { Query } from '../server/query.ts'

const STORE = Query.frequent('SELECT store_events(:told, :events, :accounts, :sequences, :totals, :deliveries)')

/** An event that no other has the id of, with its place in the series of its account. */
export interface NewEvent {
  readonly event: ShipbellEvent
  /** When it rings. */
  readonly storedAt: number
  readonly object: Slot | null
  readonly before: Slot | null
  /** Left out: that of its subject. */
  readonly lane?: number
}

export interface NewEvents {
  /** In the order of storing. */
  readonly events: readonly NewEvent[]
  /** Of these events. */
  readonly deliveries: readonly DeliveryDraft[]
  readonly provenance?: Provenance | undefined
  /** The new last `sequence` of each account that is held. */
  readonly sequences: ReadonlyMap<string, number>
}

/**
 * Stores events with their deliveries at the end of the log. After everything else of a transaction, but for what counts its
 * documents: other commits with events wait from here to its end.
 */
export async function storeEvents(
  tx: Transaction,
  { deliveries, events, provenance, sequences }: NewEvents,
): Promise<void> {
  if (events.length === 0) return
  const placed = new Map(events.map((each, index) => [each.event.id, { ...each, place: index + 1 }]))
  await tx.all(STORE, {
    told: provenance === undefined ? null : JSON.stringify(provenance),
    events: jsonRows([...placed.values()].map(eventRow)),
    accounts: [...sequences.keys()],
    sequences: [...sequences.values()],
    totals: jsonRows(totalsOf([...placed.values()])),
    deliveries: jsonRows(
      deliveries.flatMap((draft, nth) => deliveryRow(draft, { nth, of: placed.get(draft.eventId) })),
    ),
  })
}

/** Where it lies behind the log's end so far: from 1 on. */
type PlacedEvent = NewEvent & { readonly place: number }

function eventRow({ before, event, object, place, storedAt }: PlacedEvent) {
  const documents = { objectBody: object?.ref ?? null, beforeBody: before?.ref ?? null }
  return { place, storedAt, ...plainColumns(event), ...documents, ...textColumns(event) }
}

function totalsOf(events: readonly PlacedEvent[]) {
  const totals = new EventTotals()
  for (const { event, place, storedAt } of events)
    totals.add({ ref: place, account: event.account, type: event.type, resource: event.subject.resource, storedAt })
  return totals.all.map((total) => ({ ...total, account: total.account ?? NO_ACCOUNT }))
}

/** Whether its endpoint is open is seen when that is held. */
function deliveryRow(
  draft: DeliveryDraft,
  { nth, of }: { readonly nth: number; readonly of: PlacedEvent | undefined },
) {
  if (of === undefined) return []
  const { event, lane = laneOf(event), place, storedAt: dueAt } = of
  const { subscription, lastTold = null } = draft
  const test = event.cause === 'test' ? 1 : 0
  return [{ nth, id: deliveryId(draft, dueAt), place, subscription, lane, dueAt, test, lastTold }]
}
