import { Claims } from '../claims.ts'
import type { ResourceRules } from '../comparison.ts'
import { leavesFinding } from '../finding.ts'
import { assignmentFindings } from './assignment-findings.ts'
import { PURCHASE_ORDER_SHAPE } from './purchase-order-shape.ts'
import { shippedQuantityFindings } from './shipped-quantity-findings.ts'

export const purchaseOrderRules: ResourceRules = {
  shape: PURCHASE_ORDER_SHAPE,
  isIdentity: (name) => name === 'po_number',
  learn: ({ memory }) => memory,
  appeared: () => [{ type: 'purchase_order.created', about: { kind: 'record' }, extras: {} }],
  changed: (_, leaves) => {
    const claims = new Claims(leaves)
    return [
      ...assignmentFindings(claims),
      ...shippedQuantityFindings(claims),
      ...leavesFinding('purchase_order.updated', claims.takeRest()),
    ]
  },
}
