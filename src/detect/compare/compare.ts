import { field, isJsonArray, isJsonObject, rawEqual, type Json, type JsonObject } from '../../model/json.ts'
import { elementText } from './candidate.ts'
import { Effort } from './effort.ts'
import { leafChange, type LeafChange, type Place } from './leaf-change.ts'
import { differingElements, pairElements } from './pair-elements.ts'
import { makePair, type Element, type Pair } from './pair.ts'
import { sameScalar, type Scalar } from './scalar.ts'
import { elementsOf, fieldShape, type Elements, type Nested, type Shape } from './shape.ts'

/**
 * Every leaf whose meaning changed, once (guarantees D2 to D4). A leaf is a scalar: an object or array that comes or
 * goes counts as its leaves. Equal subtrees cost one walk. Both records are known not to be nested too deep.
 */
export function compare(shape: Shape, before: JsonObject, after: JsonObject): readonly LeafChange[] {
  const walk = { changes: [], effort: new Effort(before, after) }
  visit({ shape, before, after, place: null }, walk)
  return walk.changes
}

interface Walk {
  readonly changes: LeafChange[]
  readonly effort: Effort
}

function visit(node: Node, walk: Walk): void {
  const { before, after } = node
  if (before === after || node.shape.ignored === true) return
  if (isJsonObject(before) || isJsonObject(after)) visitFields(node, walk)
  if (isJsonArray(before) || isJsonArray(after)) for (const child of arrayNodes(node, walk.effort)) visit(child, walk)
  visitLeaf(node, walk)
}

function visitFields({ shape, before, after, place }: Node, walk: Walk): void {
  const left = isJsonObject(before) ? before : {}
  const right = isJsonObject(after) ? after : {}
  const visitField = (name: string, was: Json | undefined, is: Json | undefined): void => {
    if (was !== undefined && is !== undefined && rawEqual(was, is)) return
    visit({ shape: fieldShape(shape, name), before: was, after: is, place: { parent: place, step: name } }, walk)
  }
  for (const name in left) {
    const was = left[name]
    const is = right[name]
    // No JSON value is inherited: what is identical is the record's own.
    if (was !== is) visitField(name, was, Object.hasOwn(right, name) ? is : undefined)
  }
  for (const name in right) {
    if (!Object.hasOwn(left, name)) visitField(name, undefined, right[name])
  }
}

/** The scalars of both sides; beside an object or array a scalar stands alone. */
function visitLeaf({ shape, before, after, place }: Node, { changes }: Walk): void {
  const scalar = shape.scalar ?? 'plain'
  const values = { before: scalarOf(before), after: scalarOf(after), scalar }
  if (!sameScalar(scalar, values.before, values.after)) changes.push(leafChange(place, values))
}

function scalarOf(value: Json | undefined): Scalar {
  return typeof value === 'object' && value !== null ? undefined : value
}

interface ArrayNode {
  readonly elements: Elements
  readonly before: readonly Json[]
  readonly after: readonly Json[]
  readonly place: Place | null
}

/** The elements of two arrays beside their partners, those that may differ. */
function arrayNodes(node: Node, effort: Effort): readonly Node[] {
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
  const { nested } = elements
  if (nested === undefined) return pairs.map((pair) => pairNode(elements.of, pair, place))
  const homes = homesOf(elements, pairs)
  const sides = { before: innerElements(nested, left, homes), after: innerElements(nested, right, homes) }
  const inner = pairElements(nested.elements, sides, effort)
  const byOwner = Map.groupBy(inner, ({ after: element }) => element?.owner ?? null)
  return [
    ...pairs.map((pair) => pairNode(elements.of, { ...pair, inner: byOwner.get(pair.after) ?? [] }, place)),
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

/** A number for each outer element, which it shares with its partner. */
type Homes = ReadonlyMap<Element, number>

/** Numbers pairs of outer elements by what they mean, so that it does not depend on the order of the arrays. */
function homesOf(elements: Elements, pairs: readonly Pair[]): Homes {
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

/** A part of a record as it was and as it is; undefined on the side where there is none. */
interface Node {
  readonly shape: Shape
  readonly before: Json | undefined
  readonly after: Json | undefined
  readonly place: Place | null
}

function pairNode(shape: Shape, pair: Pair, parent: Place | null): Node {
  return { shape, before: pair.before?.value, after: pair.after?.value, place: { parent, step: pair } }
}
