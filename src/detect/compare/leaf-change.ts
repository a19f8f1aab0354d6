import type { Change } from '../../model/event.ts'
import { formatPointer } from '../../model/pointer.ts'
import type { Pair } from './pair.ts'
import { canonicalScalar, type Scalar, type ScalarKind } from './scalar.ts'

/** A leaf that changed, and where: by meaning (`keys`, `pairs`) for rules and ids, by JSON Pointer for people. */
export interface LeafChange extends Change {
  readonly from: NonNullable<Scalar> | null
  readonly to: NonNullable<Scalar> | null
  /** Field names and, for elements of arrays, their keys. The same whatever the order of arrays. */
  readonly keys: readonly string[]
  /** The elements that the path runs through, outermost first. */
  readonly pairs: readonly Pair[]
  readonly scalar: ScalarKind
}

/** The way from the root of a record to one of its parts. */
export interface Place {
  readonly parent: Place | null
  readonly step: string | Pair
}

export interface LeafValues {
  readonly before: Scalar
  readonly after: Scalar
  readonly scalar: ScalarKind
}

/** `undefined` on a side says that the leaf is not there. */
export function leafChange(place: Place | null, { before, after, scalar }: LeafValues): LeafChange {
  const steps = stepsTo(place)
  const side = after === undefined ? 'before' : 'after'
  const pointer = steps.map((step) => (typeof step === 'string' ? step : (step[side]?.index ?? 0)))
  return {
    path: formatPointer(pointer),
    from: before ?? null,
    to: after ?? null,
    ...(after === undefined ? { removed: true as const } : {}),
    keys: steps.map((step) => (typeof step === 'string' ? step : step.key)),
    pairs: steps.filter((step) => typeof step !== 'string'),
    scalar,
  }
}

/** What a payload shows of a changed leaf. */
export function toChange({ path, from, to, removed }: LeafChange): Change {
  return removed === undefined ? { path, from, to } : { path, from, to, removed }
}

/** Text that is the same for the same change, whatever its rendering. */
export function canonicalChange({ keys, from, to, scalar }: LeafChange): string {
  return JSON.stringify([keys, canonicalScalar(scalar, from), canonicalScalar(scalar, to)])
}

function stepsTo(place: Place | null): readonly (string | Pair)[] {
  const steps: (string | Pair)[] = []
  for (let at = place; at !== null; at = at.parent) steps.push(at.step)
  return steps.toReversed()
}
