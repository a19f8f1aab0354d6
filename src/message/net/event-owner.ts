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

/** The key of each event's owner, by `ownerKey` or what keeps it. */
type KeyOf<E> = (event: E) => string

/**
 * Under which owner each of some events is told among the others. What was derived of an order because a shipment moved is told
 * under that shipment, where something of the shipment is told at all: an order whose events have several reasons, or one of its
 * own, stays by itself, so that all of them are in one place.
 */
export function ownersAmong<E extends ShipbellEvent>(events: readonly E[], keyOf: KeyOf<E> = ownerKey): KeyOf<E> {
  const derived = events.filter(isDerivedOfOrder)
  if (derived.length === 0) return keyOf
  const orders = Map.groupBy(derived, keyOf)
  const reasons = reasonsAmong(events, derived, keyOf)
  const told = new Set<string>()
  for (const event of events) if (!isDerivedOfOrder(event)) told.add(keyOf(event))
  const moved = new Map<string, string>()
  for (const [order, own] of orders) {
    const [shipment, ...others] = new Set(own.map((event) => reasons(event)))
    if (shipment !== undefined && shipment !== null && others.length === 0 && told.has(shipment) && !told.has(order))
      moved.set(order, shipment)
  }
  return (event) => (isDerivedOfOrder(event) ? (moved.get(keyOf(event)) ?? keyOf(event)) : keyOf(event))
}

function isDerivedOfOrder({ cause, subject }: ShipbellEvent): boolean {
  return cause === 'derived' && subject.resource === 'purchase_order'
}

/** The shipment that made an event of an order so: that of the event it names, else the one that its expected date is of. */
function reasonsAmong<E extends ShipbellEvent>(
  events: readonly E[],
  derived: readonly E[],
  keyOf: KeyOf<E>,
): (event: E) => string | null {
  const named = new Set(derived.map(({ extras }) => textField(extras, 'because')))
  const known = new Map(events.flatMap((event) => (named.has(event.id) ? [[event.id, event] as const] : [])))
  return ({ account, extras }) => {
    const reason = known.get(textField(extras, 'because') ?? '')
    if (reason !== undefined) return ownerOf(reason).resource === 'shipment' ? keyOf(reason) : null
    const id = textField(field(extras, 'to'), 'shipment_id')
    return id === null ? null : JSON.stringify([account, 'shipment', id])
  }
}
