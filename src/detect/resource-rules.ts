import type { RecordResource } from '../model/resource.ts'
import type { ResourceRules } from './comparison.ts'
import { documentRules } from './document/document-rules.ts'
import { invoiceRules } from './invoice/invoice-rules.ts'
import { locationRules } from './location/location-rules.ts'
import { orderPreparationRules } from './order-preparation/order-preparation-rules.ts'
import { purchaseOrderRules } from './purchase-order/purchase-order-rules.ts'
import { shipmentRules } from './shipment/shipment-rules.ts'
import { trackingRules } from './tracking/tracking-rules.ts'

export const RESOURCE_RULES: Readonly<Record<RecordResource, ResourceRules>> = {
  shipment: shipmentRules,
  tracking: trackingRules,
  invoice: invoiceRules,
  document: documentRules,
  purchase_order: purchaseOrderRules,
  location: locationRules,
  order_preparation: orderPreparationRules,
}
