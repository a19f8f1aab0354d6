import type { RecordResource } from '../model/resource.ts'
import { BOOLEAN, DATE, NUMBER, objectOf } from './compare/shape.ts'
import { LOCATION_SHAPE } from './location/location-shape.ts'
import type { ResourceRules } from './comparison.ts'
import { documentRules } from './document/document-rules.ts'
import { leavesFinding } from './claims.ts'
import { invoiceRules } from './invoice/invoice-rules.ts'
import { purchaseOrderRules } from './purchase-order/purchase-order-rules.ts'
import { shipmentRules } from './shipment/shipment-rules.ts'
import { trackingRules } from './tracking/tracking-rules.ts'

const locationRules: ResourceRules = {
  shape: LOCATION_SHAPE,
  isIdentity: (name) => name === 'id',
  learn: ({ memory }) => memory,
  appeared: () => [{ type: 'location.created', about: { kind: 'record' }, extras: {} }],
  changed: (_, leaves) => leavesFinding('location.updated', leaves),
}

const orderPreparationRules: ResourceRules = {
  shape: objectOf({
    instructions: objectOf({
      should_label_packages: BOOLEAN,
      should_palletise: BOOLEAN,
      should_certify_commercial_invoices: BOOLEAN,
      target_pickup_date: DATE,
    }),
    owner_in_charge_of_moving_goods_in_fca_export: BOOLEAN,
    total_commercial_invoice_amount: NUMBER,
  }),
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
