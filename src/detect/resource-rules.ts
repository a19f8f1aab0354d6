import type { RecordResource } from '../model/resource.ts'
import { objectOf, setOf } from './compare/shape.ts'
import type { ResourceRules } from './comparison.ts'
import { documentRules } from './document/document-rules.ts'
import { leavesFinding } from './finding.ts'
import { invoiceRules } from './invoice/invoice-rules.ts'
import { purchaseOrderRules } from './purchase-order/purchase-order-rules.ts'
import { shipmentRules } from './shipment/shipment-rules.ts'
import { trackingRules } from './tracking/tracking-rules.ts'

const locationRules: ResourceRules = {
  shape: objectOf({ contacts: setOf({}, { descriptive: ['name', 'email'] }) }),
  isIdentity: (name) => name === 'id',
  learn: ({ memory }) => memory,
  appeared: () => [{ type: 'location.created', about: { kind: 'record' }, extras: {} }],
  changed: (_, leaves) => leavesFinding('location.updated', leaves),
}

const orderPreparationRules: ResourceRules = {
  shape: {},
  /** The path names it; a platform may repeat that in the record. */
  isIdentity: (name) => name === 'reference',
  learn: ({ memory }) => memory,
  appeared: () => [{ type: 'order_preparation.created', about: { kind: 'record' }, extras: {} }],
  changed: (_, leaves) => leavesFinding('order_preparation.updated', leaves),
}

export const RESOURCE_RULES: Readonly<Record<RecordResource, ResourceRules>> = {
  shipment: shipmentRules,
  tracking: trackingRules,
  invoice: invoiceRules,
  document: documentRules,
  purchase_order: purchaseOrderRules,
  location: locationRules,
  order_preparation: orderPreparationRules,
}
