import type { ShipbellEvent } from '../../model/event.ts'
import { asText, field, textField } from '../../model/json.ts'
import type { SubjectResource } from '../../model/resource.ts'

/** What an event is told under: its shipment, else its own subject. */
export interface EventOwner {
  readonly account: string | null
  readonly resource: SubjectResource
  readonly id: string
}

/** The shipment that an event belongs to, as far as the event says which; else its subject. */
export function ownerOf(event: ShipbellEvent): EventOwner {
  const { account, subject } = event
  const shipment = shipmentOf(event)
  return shipment === null
    ? { account, resource: subject.resource, id: subject.id }
    : { account, resource: 'shipment', id: shipment }
}

function shipmentOf({ extras, object, shipment, subject }: ShipbellEvent): string | null {
  if (subject.resource === 'shipment' || subject.resource === 'tracking') return subject.id
  if (shipment !== null) return shipment.id
  // An order has lines on several shipments; some of its events are about one of them.
  if (subject.resource === 'purchase_order') return textField(extras, 'shipment_id')
  return asText(field(object ?? undefined, 'platform_shipment_id'))
}

/** Two events have one owner where these are equal. */
export function ownerKey(event: ShipbellEvent): string {
  const { account, resource, id } = ownerOf(event)
  return JSON.stringify([account, resource, id])
}
