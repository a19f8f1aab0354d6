import type { LeafChange } from './compare/leaf-change.ts'

/** The leaves of a difference that no rule has claimed yet: each is claimed once, by the first rule that asks for it. */
export class Claims {
  #unclaimed: readonly LeafChange[]

  constructor(leaves: readonly LeafChange[]) {
    this.#unclaimed = leaves
  }

  take(wanted: (leaf: LeafChange) => boolean): readonly LeafChange[] {
    if (this.#unclaimed.length === 0) return this.#unclaimed
    const taken = this.#unclaimed.filter(wanted)
    if (taken.length > 0) this.#unclaimed = this.#unclaimed.filter((leaf) => !wanted(leaf))
    return taken
  }

  /** The leaves at or below a path of field names. */
  takeUnder(...path: readonly string[]): readonly LeafChange[] {
    return this.take((leaf) => isUnder(leaf, path))
  }

  /** The same leaves, left unclaimed. */
  peekUnder(...path: readonly string[]): readonly LeafChange[] {
    return this.#unclaimed.filter((leaf) => isUnder(leaf, path))
  }

  takeRest(): readonly LeafChange[] {
    return this.take(() => true)
  }
}

export function isUnder({ keys }: LeafChange, path: readonly string[]): boolean {
  for (let index = 0; index < path.length; index += 1) if (keys[index] !== path[index]) return false
  return true
}
