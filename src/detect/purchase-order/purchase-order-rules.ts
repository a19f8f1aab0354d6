import { field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { shipmentIdOf } from '../../model/shipment.ts'
import { Claims, leavesFinding, type Finding } from '../claims.ts'
import { canonicalChange, type LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'
import type { ResourceRules } from '../comparison.ts'
import { PURCHASE_ORDER_SHAPE, shipmentKey } from './purchase-order-shape.ts'

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
      ...shipmentStatusFindings(claims),
      ...leavesFinding('purchase_order.updated', claims.takeRest()),
    ]
  },
}

type Turn = 'assigned' | 'unassigned'

/** One event per order line and shipment that it lost or gained, in an order that does not depend on the arrays'. */
function assignmentFindings(claims: Claims): readonly Finding[] {
  const turns = new Turns()
  return [...turnFindings(claims, turns, 'unassigned'), ...turnFindings(claims, turns, 'assigned')]
}

function turnFindings(claims: Claims, turns: Turns, turn: Turn): readonly Finding[] {
  const leaves = claims.take((leaf) => turns.of(assignmentOf(leaf)) === turn)
  return byLineAndShipment(leaves)
    .map((own) => ({ own, order: own.map(canonicalChange).sort().join('\n') }))
    .sort((left, right) => compareText(left.order, right.order))
    .flatMap(({ own }) => leavesFinding(`purchase_order.${turn}`, own, { extras: extrasOfOne(own) }))
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}

/** Several elements of one line may name one shipment: what counts is whether the line had it before, and has it now. */
class Turns {
  /** The shipments of each line, so that a long one is looked through once. */
  readonly #shipments = new Map<Pair, { readonly had: ReadonlySet<string>; readonly has: ReadonlySet<string> }>()

  of(assignment: Assignment | null): Turn | null {
    if (assignment === null || assignment.element.key === '') return null
    const { had, has } = this.#shipmentsOf(assignment.line)
    const { key } = assignment.element
    if (had.has(key) === has.has(key)) return null
    return has.has(key) ? 'assigned' : 'unassigned'
  }

  #shipmentsOf(line: Pair): { readonly had: ReadonlySet<string>; readonly has: ReadonlySet<string> } {
    const known = this.#shipments.get(line)
    if (known !== undefined) return known
    const shipments = { had: shipmentsOf(line.before?.value), has: shipmentsOf(line.after?.value) }
    this.#shipments.set(line, shipments)
    return shipments
  }
}

function byLineAndShipment(leaves: readonly LeafChange[]): readonly (readonly LeafChange[])[] {
  const byLine = Map.groupBy(leaves, (leaf) => assignmentOf(leaf)?.line)
  return [...byLine.values()].flatMap((own) => [
    ...Map.groupBy(own, (leaf) => assignmentOf(leaf)?.element.key).values(),
  ])
}

function extrasOfOne([first]: readonly LeafChange[]): Finding['extras'] {
  const assignment = first === undefined ? null : assignmentOf(first)
  return assignment === null ? {} : assignmentExtras(assignment)
}

/** An element of `assigned_order_lines`, beside the order line it stands in. */
interface Assignment {
  readonly line: Pair
  readonly element: Pair
}

/** The assignment that a leaf belongs to; null where it belongs to none. */
function assignmentOf({ keys, pairs }: LeafChange): Assignment | null {
  const [line, element] = pairs
  const isAssigned = keys[0] === 'purchase_order_lines' && keys[2] === 'assigned_order_lines'
  return isAssigned && line !== undefined && element !== undefined ? { line, element } : null
}

/** What events say of an assignment: its line as it is now, or as it was, and the shipment's id. */
function assignmentExtras({ line, element }: Assignment): JsonObject {
  const assigned = (element.after ?? element.before)?.value ?? null
  return {
    line: (line.after ?? line.before)?.value ?? null,
    shipment_id: isJsonObject(assigned) ? shipmentIdOf(assigned, null) : null,
  }
}

/** The keys of the shipments that an order line is assigned to. */
function shipmentsOf(line: Json | undefined): ReadonlySet<string> {
  const assigned = field(line, 'assigned_order_lines')
  return new Set(isJsonArray(assigned) ? assigned.map(shipmentKey) : [])
}

/** All that changed under `shipped_order_lines` of assignments that stay, in one event. */
function shippedQuantityFindings(claims: Claims): readonly Finding[] {
  const leaves = claims.take(isShippedOfStaying)
  return leavesFinding('purchase_order.shipped_quantity_changed', leaves, { extras: extrasOfAll(leaves) })
}

function isShippedOfStaying(leaf: LeafChange): boolean {
  const element = assignmentOf(leaf)?.element
  return leaf.keys[4] === 'shipped_order_lines' && element != null && element.before !== null && element.after !== null
}

/** The line and the shipment where the change is about one of them; null otherwise. */
function extrasOfAll(leaves: readonly LeafChange[]): JsonObject {
  const assignments = leaves.map(assignmentOf).filter((assignment) => assignment !== null)
  const [first] = assignments
  const isOne = assignments.every(({ line, element }) => line === first?.line && element === first.element)
  return first !== undefined && isOne ? assignmentExtras(first) : { line: null, shipment_id: null }
}

/** The status of each shipment as lines that stay assigned to it repeat it: one event per shipment, whatever the number of lines. */
function shipmentStatusFindings(claims: Claims): readonly Finding[] {
  const leaves = claims.take(isStatusOfStaying)
  if (leaves.length === 0) return []
  return [...Map.groupBy(leaves, (leaf) => assignmentOf(leaf)?.element.key ?? '').values()]
    .map((own) => ({ own, order: own.map(canonicalChange).sort() }))
    .sort((left, right) => compareText(left.order.join('\n'), right.order.join('\n')))
    .flatMap(({ own, order }) =>
      leavesFinding('purchase_order.shipment_status_changed', own, { extras: statusExtras(own, order[0]) }),
    )
}

/** Lines may have been told of a status at different times: the first one speaks for all, in an order that does not depend on the arrays'. */
function statusExtras(leaves: readonly LeafChange[], first: string | undefined): JsonObject {
  const leaf = leaves.find((each) => canonicalChange(each) === first)
  const element = leaf === undefined ? undefined : assignmentOf(leaf)?.element
  const assigned = element?.after?.value ?? null
  return {
    shipment_id: isJsonObject(assigned) ? shipmentIdOf(assigned, null) : null,
    from: leaf?.from ?? null,
    to: leaf?.to ?? null,
  }
}

/** What an assignment that names no shipment says of its status repeats nobody's. */
function isStatusOfStaying(leaf: LeafChange): boolean {
  const element = assignmentOf(leaf)?.element
  if (leaf.keys[4] !== 'shipment_status' || element == null || element.key === '') return false
  return element.before !== null && element.after !== null
}
