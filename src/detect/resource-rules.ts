import type { RecordResource } from '../model/resource.ts'
import type { ResourceRules } from './comparison.ts'
import { invoiceRules } from './invoice/invoice-rules.ts'
import { shipmentRules } from './shipment/shipment-rules.ts'
import { trackingRules } from './tracking/tracking-rules.ts'

/** Records of a resource without rules are learnt and ring nothing. */
export const RESOURCE_RULES: Readonly<Partial<Record<RecordResource, ResourceRules>>> = {
  shipment: shipmentRules,
  tracking: trackingRules,
  invoice: invoiceRules,
}
