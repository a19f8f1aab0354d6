import type { JsonObject } from '../model/json.ts'
import { shipmentIdOf } from '../model/shipment-id.ts'
import { summariseShipment, type ShipmentSummary } from '../model/shipment.ts'
import type { PollStore } from '../store/ports.ts'

/** The one shipment that a record belongs to, as far as it is known. */
export async function ownerSummary(
  store: PollStore,
  account: string,
  record: JsonObject,
): Promise<ShipmentSummary | null> {
  const owner = shipmentIdOf(record, null)
  if (owner === null) return null
  const seen = (await store.records(account, 'shipment', [owner])).get(owner)?.seen ?? null
  return seen === null ? null : summariseShipment(owner, seen)
}
