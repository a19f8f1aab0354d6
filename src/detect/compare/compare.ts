import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { arrayNodes } from './array-nodes.ts'
import { Effort } from './effort.ts'
import { leafChange, type LeafChange } from './leaf-change.ts'
import type { Node } from './node.ts'
import { sameScalar, type Scalar } from './scalar.ts'
import { fieldShape, type Shape } from './shape.ts'

/**
 * Every leaf whose meaning changed, once (contract sections 3.2 to 3.4). A leaf is a scalar: an object or array that comes or
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
    if (was === is) return
    visit({ shape: fieldShape(shape, name), before: was, after: is, place: { parent: place, step: name } }, walk)
  }
  for (const name of Object.keys(left)) {
    visitField(name, left[name], Object.hasOwn(right, name) ? right[name] : undefined)
  }
  for (const name of Object.keys(right)) {
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
