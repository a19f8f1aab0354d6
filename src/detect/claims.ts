import type { LeafChange } from './compare/leaf-change.ts'

const NONE: readonly LeafChange[] = []

/** The leaves of a difference that no rule has claimed yet: each is claimed once, by the first rule that asks for it. */
export class Claims {
  #unclaimed: readonly LeafChange[]

  constructor(leaves: readonly LeafChange[]) {
    this.#unclaimed = leaves
  }

  take(wanted: (leaf: LeafChange) => boolean): readonly LeafChange[] {
    if (!this.#unclaimed.some(wanted)) return NONE
    const taken = this.#unclaimed.filter(wanted)
    this.#unclaimed = this.#unclaimed.filter((leaf) => !wanted(leaf))
    return taken
  }

  /** The leaves at or below a path of field names. */
  takeUnder(...path: readonly string[]): readonly LeafChange[] {
    return this.hasUnder(...path) ? this.take((leaf) => isUnder(leaf, path)) : NONE
  }

  /** The leaves under a path, left unclaimed. */
  peekUnder(...path: readonly string[]): readonly LeafChange[] {
    return this.#unclaimed.filter((leaf) => isUnder(leaf, path))
  }

  /** Whether there are any. Most rules find none: nothing is made to say so. */
  hasUnder(...path: readonly string[]): boolean {
    for (const leaf of this.#unclaimed) if (isUnder(leaf, path)) return true
    return false
  }

  takeRest(): readonly LeafChange[] {
    const rest = this.#unclaimed
    this.#unclaimed = NONE
    return rest
  }
}

export function isUnder({ keys }: LeafChange, path: readonly string[]): boolean {
  for (let index = 0; index < path.length; index += 1) if (keys[index] !== path[index]) return false
  return true
}
