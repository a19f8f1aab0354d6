import type { JsonObject } from '../../model/json.ts'
import type { Shape } from '../compare/shape.ts'
import { ignoredPart, recordWithout } from './ignored-part.ts'
import { shapeIgnoring } from './shape-ignoring.ts'

/** What is left to compare of a resource's records beside what is ignored. */
export interface ComparedView {
  readonly shape: Shape
  readonly of: (record: JsonObject) => JsonObject
}

/** Settings are frozen, so a list of pointers is compiled once for each shape. */
const VIEWS = new WeakMap<readonly string[], WeakMap<Shape, ComparedView>>()

export function comparedView(shape: Shape, ignore: readonly string[]): ComparedView {
  const known = VIEWS.get(ignore) ?? new WeakMap<Shape, ComparedView>()
  const view = known.get(shape) ?? compile(shape, ignore)
  VIEWS.set(ignore, known.set(shape, view))
  return view
}

function compile(shape: Shape, ignore: readonly string[]): ComparedView {
  const part = ignoredPart(ignore)
  return { shape: shapeIgnoring(shape, part), of: (record) => recordWithout(record, part) }
}
