import { eventId } from '../model/event-id.ts'
import type { EventType } from '../model/event-catalogue.ts'
import type { EventDraft } from '../model/event.ts'
import { invoiceKind } from '../model/invoice.ts'
import type { JsonObject } from '../model/json.ts'
import { orderStatus } from '../model/order-fate.ts'
import type { RecordState } from '../model/record-state.ts'
import type { RecordResource } from '../model/resource.ts'
import type { SnapshotRun } from '../model/snapshot-run.ts'
import { summariseShipment, type ShipmentSummary } from '../model/shipment.ts'
import { contentLink } from './content-link.ts'

export interface SnapshotInput {
  /** The run that it is made for: another one tells everything again. */
  readonly of: Pick<SnapshotRun, 'subscription' | 'run'>
  readonly account: string
  readonly resource: RecordResource
  readonly state: RecordState
  /** The shipment that the record belongs to, where it is known; for a shipment it is made from the record itself. */
  readonly shipment: ShipmentSummary | null
  readonly timeZone: string
  /** Where the admin interface is reached; null: nowhere. */
  readonly publicUrl: string | null
  readonly at: number
}

/**
 * A record as events have reported it by now, under its present version; null: there is nothing to show of it, or it is removed.
 * Pure: of one run, record and version the id is always the same.
 */
export function snapshotOf(input: SnapshotInput): EventDraft | null {
  const { account, at, of, resource, shipment, state } = input
  const { id, lastEventId: previousEventId, removedAt, reported: object, version } = state
  if (object === null || removedAt !== null) return null
  const type = snapshotType(resource, object)
  return {
    id: eventId({ account, resource, id, version, type, parts: ['snapshot', of.subscription, of.run] }),
    type,
    account,
    subject: { resource, id, version, previousEventId },
    timestamp: at,
    observed: null,
    cause: 'snapshot',
    object,
    before: null,
    changes: null,
    shipment: resource === 'shipment' ? summariseShipment(id, object) : shipment,
    extras: extrasOf(input, object),
  }
}

type SnapshotType = Extract<EventType, `${string}.snapshot`>

function snapshotType(resource: RecordResource, record: JsonObject): SnapshotType {
  return resource === 'invoice' ? `${invoiceKind(record)}.snapshot` : `${resource}.snapshot`
}

/** What all events of a resource say beside what their types add. */
function extrasOf({ account, publicUrl, resource, state, timeZone }: SnapshotInput, record: JsonObject): JsonObject {
  if (resource === 'purchase_order') return { order_status: orderStatus(record, state.memory.fate, timeZone) }
  return resource === 'document' ? contentLink({ account, id: state.id, publicUrl }) : {}
}
