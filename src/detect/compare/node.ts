import type { Json } from '../../model/json.ts'
import type { Place } from './leaf-change.ts'
import type { Pair } from './pair.ts'
import type { Shape } from './shape.ts'

/** A part of a record as it was and as it is; undefined on the side where there is none. */
export interface Node {
  readonly shape: Shape
  readonly before: Json | undefined
  readonly after: Json | undefined
  readonly place: Place | null
}

export function pairNode(shape: Shape, pair: Pair, parent: Place | null): Node {
  return { shape, before: pair.before?.value, after: pair.after?.value, place: { parent, step: pair } }
}
