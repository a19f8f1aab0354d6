import { textField, type JsonObject } from '../../src/model/json.ts'
import type { FetchedResource, ListedResource } from '../../src/platform/platform.ts'

const ID_FIELDS: Readonly<Record<ListedResource, string>> = {
  shipment: 'platform_shipment_id',
  invoice: 'reference',
  document: 'id',
  purchase_order: 'po_number',
  location: 'id',
}

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
    switch (resource) {
      case 'shipment':
        return this.shipments
      case 'invoice':
        return this.invoices
      case 'document':
        return this.documents
      case 'purchase_order':
        return this.purchaseOrders
      case 'location':
        return this.locations
      default:
        return resource satisfies never
    }
  }

  held(resource: FetchedResource, id: string): JsonObject | undefined {
    if (resource === 'tracking') return this.tracking.get(id)
    if (resource === 'order_preparation') return this.orderPreparations.get(id)
    return this.listed(resource).find((record) => recordId(resource, record) === id)
  }
}

/** null: it has none. */
export function recordId(resource: ListedResource, record: JsonObject): string | null {
  return textField(record, ID_FIELDS[resource])
}
