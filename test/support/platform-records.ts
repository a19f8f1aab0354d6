import { textField, type JsonObject } from '../../src/model/json.ts'
import { RESOURCES, type ListedResource } from '../../src/model/resource.ts'
import type { FetchedResource } from '../../src/platform/platform.ts'

/** What a platform holds, for a test to set and change. */
export class PlatformRecords {
  shipments: JsonObject[] = []
  invoices: JsonObject[] = []
  documents: JsonObject[] = []
  purchaseOrders: JsonObject[] = []
  locations: JsonObject[] = []
  readonly orderPreparations = new Map<string, JsonObject>()
  readonly tracking = new Map<string, JsonObject>()

  listed(resource: ListedResource): readonly JsonObject[] {
    const lists: Readonly<Record<ListedResource, readonly JsonObject[]>> = {
      shipment: this.shipments,
      invoice: this.invoices,
      document: this.documents,
      purchase_order: this.purchaseOrders,
      location: this.locations,
    }
    return lists[resource]
  }

  held(resource: FetchedResource, id: string): JsonObject | undefined {
    if (resource === 'tracking') return this.tracking.get(id)
    if (resource === 'order_preparation') return this.orderPreparations.get(id)
    return this.listed(resource).find((record) => recordId(resource, record) === id)
  }
}

/** null: it has none. */
export function recordId(resource: ListedResource, record: JsonObject): string | null {
  const { idField } = RESOURCES[resource]
  return textField(record, idField === 'shipment' ? 'platform_shipment_id' : idField)
}
