import type { JsonObject } from '../../model/json.ts'
import type { Claims } from '../claims.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import { leavesFinding, type Finding } from '../finding.ts'
import { assignmentExtras, assignmentOf } from './assignment.ts'

/** All that changed under `shipped_order_lines` of assignments that stay, in one event. */
export function shippedQuantityFindings(claims: Claims): readonly Finding[] {
  const leaves = claims.take(isShippedOfStaying)
  return leavesFinding('purchase_order.shipped_quantity_changed', leaves, { extras: extrasOf(leaves) })
}

function isShippedOfStaying(leaf: LeafChange): boolean {
  const element = assignmentOf(leaf)?.element
  return leaf.keys[4] === 'shipped_order_lines' && element != null && element.before !== null && element.after !== null
}

/** The line and the shipment where the change is about one of them; null otherwise. */
function extrasOf(leaves: readonly LeafChange[]): JsonObject {
  const assignments = leaves.map(assignmentOf).filter((assignment) => assignment !== null)
  const [first] = assignments
  const isOne = assignments.every(({ line, element }) => line === first?.line && element === first.element)
  return first !== undefined && isOne ? assignmentExtras(first) : { line: null, shipment_id: null }
}
