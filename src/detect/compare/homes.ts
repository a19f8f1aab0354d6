import { elementText } from './candidate.ts'
import type { Element, Pair } from './pair.ts'
import type { Elements } from './shape.ts'

/** A number for each outer element, which it shares with its partner. */
export type Homes = ReadonlyMap<Element, number>

/** Numbers pairs of outer elements by what they mean, so that it does not depend on the order of the arrays. */
export function homesOf(elements: Elements, pairs: readonly Pair[]): Homes {
  const byKey = Map.groupBy(pairs, ({ key }) => key)
  const inOrder = [...byKey.keys()].sort().flatMap((key) => sorted(elements, byKey.get(key) ?? []))
  return new Map(inOrder.flatMap((pair, home) => sidesOf(pair).map((element) => [element, home] as const)))
}

/** Most keys name one pair, whose meaning nobody asks for. */
function sorted(elements: Elements, pairs: readonly Pair[]): readonly Pair[] {
  if (pairs.length < 2) return pairs
  return pairs
    .map((pair) => ({ pair, order: orderOf(elements, pair) }))
    .sort((left, right) => (left.order < right.order ? -1 : Number(left.order > right.order)))
    .map(({ pair }) => pair)
}

function orderOf(elements: Elements, { before, after }: Pair): string {
  return [before, after].map((each) => (each === null ? '' : elementText(elements, each))).join('\n')
}

function sidesOf({ before, after }: Pair): readonly Element[] {
  return [before, after].filter((element) => element !== null)
}
