import { parseInstant } from '../../model/instant.ts'
import { field } from '../../model/json.ts'
import { canonicalChange, type LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'

/** A tracking event that changed, beside what changed in it. */
export interface Told {
  readonly pair: Pair
  readonly leaves: readonly LeafChange[]
}

/** Undated ones last; of one date, what went before what came, then in an order that does not depend on the arrays'. */
export function inOrderOfDates(leaves: readonly LeafChange[]): readonly Told[] {
  return [...Map.groupBy(leaves, (leaf) => leaf.pairs[1])]
    .flatMap(([pair, own]) =>
      pair === undefined ? [] : [{ pair, leaves: own, at: instantOf(pair), order: orderOf(pair, own) }],
    )
    .sort((left, right) => left.at - right.at || (left.order < right.order ? -1 : Number(left.order > right.order)))
}

const UNDATED = Number.MAX_SAFE_INTEGER

function instantOf({ before, after }: Pair): number {
  return parseInstant(field((after ?? before)?.value, 'date')) ?? UNDATED
}

function orderOf({ before, after }: Pair, leaves: readonly LeafChange[]): string {
  const rank = after === null ? 0 : before === null ? 2 : 1
  return [rank, ...leaves.map(canonicalChange).sort()].join('\n')
}
