import type { Claims } from '../claims.ts'
import { canonicalChange, type LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'
import { leavesFinding, type Finding } from '../finding.ts'
import { assignmentExtras, assignmentOf, shipmentsOf, type Assignment } from './assignment.ts'

type Turn = 'assigned' | 'unassigned'

/** One event per order line and shipment that it lost or gained, in an order that does not depend on the arrays'. */
export function assignmentFindings(claims: Claims): readonly Finding[] {
  const turns = new Turns()
  return [...turnFindings(claims, turns, 'unassigned'), ...turnFindings(claims, turns, 'assigned')]
}

function turnFindings(claims: Claims, turns: Turns, turn: Turn): readonly Finding[] {
  const leaves = claims.take((leaf) => turns.of(assignmentOf(leaf)) === turn)
  return byLineAndShipment(leaves)
    .map((own) => ({ own, order: own.map(canonicalChange).sort().join('\n') }))
    .sort((left, right) => (left.order < right.order ? -1 : Number(left.order > right.order)))
    .flatMap(({ own }) => leavesFinding(`purchase_order.${turn}`, own, { extras: extrasOf(own) }))
}

/** Several elements of one line may name one shipment: what counts is whether the line had it before, and has it now. */
class Turns {
  /** Of each line, so that a long one is looked through once. */
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

function extrasOf([first]: readonly LeafChange[]): Finding['extras'] {
  const assignment = first === undefined ? null : assignmentOf(first)
  return assignment === null ? {} : assignmentExtras(assignment)
}
