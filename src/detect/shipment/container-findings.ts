import type { Claims } from '../claims.ts'
import { canonicalChange, type LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'
import { leavesFinding, type Finding } from '../finding.ts'

/** One event per container, in an order that does not depend on the arrays'. */
export function containerFindings(claims: Claims): readonly Finding[] {
  const leaves = claims.take(({ keys, pairs }) => keys[0] === 'cargo' && keys[1] === 'containers' && pairs.length > 0)
  const byContainer = [...Map.groupBy(leaves, (leaf) => leaf.pairs[0])].map(([pair, own]) => ({
    pair,
    own,
    order: orderOf(own),
  }))
  return byContainer
    .sort((left, right) => (left.order < right.order ? -1 : Number(left.order > right.order)))
    .flatMap(({ pair, own }) => (pair === undefined ? [] : containerFinding(pair, own)))
}

function orderOf(leaves: readonly LeafChange[]): string {
  return leaves.map(canonicalChange).sort().join('\n')
}

function containerFinding({ before, after }: Pair, leaves: readonly LeafChange[]): readonly Finding[] {
  const extras = { container: (after ?? before)?.value ?? null }
  if (before === null) return leavesFinding('shipment.container_added', leaves, { extras })
  if (after === null) return leavesFinding('shipment.container_removed', leaves, { extras })
  return leavesFinding('shipment.container_updated', leaves, { extras })
}
