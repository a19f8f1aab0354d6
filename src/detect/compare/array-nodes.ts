import { field, isJsonArray, type Json } from '../../model/json.ts'
import type { Effort } from './effort.ts'
import { homesOf, type Homes } from './homes.ts'
import { pairNode, type Node } from './node.ts'
import { differingElements, pairElements } from './pair-elements.ts'
import { makePair, type Element } from './pair.ts'
import { elementsOf, type Elements, type Nested } from './shape.ts'
import type { Place } from './leaf-change.ts'

interface ArrayNode {
  readonly elements: Elements
  readonly before: readonly Json[]
  readonly after: readonly Json[]
  readonly place: Place | null
}

/** The elements of two arrays beside their partners, those that may differ. */
export function arrayNodes(node: Node, effort: Effort): readonly Node[] {
  const array: ArrayNode = {
    elements: elementsOf(node.shape),
    before: isJsonArray(node.before) ? node.before : [],
    after: isJsonArray(node.after) ? node.after : [],
    place: node.place,
  }
  switch (array.elements.order) {
    case 'set':
      return setNodes(array, effort)
    case 'sequence':
      return sequenceNodes(array)
    case 'elsewhere':
      return []
    default:
      return array.elements.order satisfies never
  }
}

function sequenceNodes({ elements, before, after, place }: ArrayNode): readonly Node[] {
  const length = Math.max(before.length, after.length)
  return Array.from({ length }, (_, index) =>
    pairNode(elements.of, makePair(elementAt(before, index), elementAt(after, index)), place),
  )
}

function elementAt(values: readonly Json[], index: number): Element | null {
  const value = values[index]
  return value === undefined ? null : { index, value, key: String(index), owner: null, home: null }
}

function setNodes({ elements, before, after, place }: ArrayNode, effort: Effort): readonly Node[] {
  const [left, right] = differingElements(elements, before, after)
  if (left.length === 0 && right.length === 0) return []
  const pairs = pairElements(elements, { before: left, after: right }, effort)
  const own = pairs.map((pair) => pairNode(elements.of, pair, place))
  if (elements.nested === undefined) return own
  const { nested } = elements
  const homes = homesOf(elements, pairs)
  const sides = { before: innerElements(nested, left, homes), after: innerElements(nested, right, homes) }
  const inner = pairElements(nested.elements, sides, effort)
  return [
    ...own,
    ...inner.map((pair) => {
      const outer = makePair(pair.before?.owner ?? null, pair.after?.owner ?? null)
      return pairNode(nested.elements.of, pair, { parent: { parent: place, step: outer }, step: nested.field })
    }),
  ]
}

function innerElements(nested: Nested, outer: readonly Element[], homes: Homes): readonly Element[] {
  return outer.flatMap((owner) => {
    const values = field(owner.value, nested.field)
    if (!isJsonArray(values)) return []
    const home = homes.get(owner) ?? null
    return values.map((value, index) => ({ index, value, key: nested.key(owner.value, value), owner, home }))
  })
}
