import type { LoggedEvent, ShipbellEvent } from '../../../model/event.ts'
import { textField } from '../../../model/json.ts'
import type { DeskStore } from '../../admin-context.ts'

/** A shipment of an account. */
interface ShipmentKey {
  readonly account: string
  readonly id: string
}

/** What people call shipments, as they were read last; null where nobody calls one anything. */
export async function shipmentNames(
  shipments: readonly ShipmentKey[],
  store: Pick<DeskStore, 'records'>,
): Promise<(shipment: ShipmentKey) => string | null> {
  const names = new Map<string, ReadonlyMap<string, string | null>>()
  for (const [account, own] of Map.groupBy(shipments, (each) => each.account)) {
    const known = await store.records(account, 'shipment', [...new Set(own.map(({ id }) => id))])
    names.set(account, new Map([...known].map(([id, { seen }]) => [id, textField(seen ?? {}, 'name')])))
  }
  return ({ account, id }) => names.get(account)?.get(id) ?? null
}

/** The shipment that an event of an order tells of; null: it tells of none, or is no order's. */
export function shipmentOfOrder({ account, extras, subject }: ShipbellEvent): ShipmentKey | null {
  if (account === null || subject.resource !== 'purchase_order') return null
  const id = textField(extras, 'shipment_id')
  return id === null ? null : { account, id }
}

/** Makes events of orders say what people call their shipment, in the place of its id. */
export async function withShipmentNames(
  events: readonly LoggedEvent[],
  store: Pick<DeskStore, 'records'>,
): Promise<(event: LoggedEvent) => LoggedEvent> {
  const nameOf = await shipmentNames(
    events.flatMap((event) => shipmentOfOrder(event) ?? []),
    store,
  )
  return (event) => withShipmentName(event, nameOf)
}

/** An event; of an order with what people call its shipment in the place of the id. */
export function withShipmentName(event: LoggedEvent, nameOf: (shipment: ShipmentKey) => string | null): LoggedEvent {
  const shipment = shipmentOfOrder(event)
  const name = shipment === null ? null : nameOf(shipment)
  return name === null ? event : { ...event, extras: { ...event.extras, shipment_id: name } }
}
