import { countBy } from '../life/timeline.ts'
import type { Slice } from './shelf.ts'

/** Something with an id that exists from a moment on. */
export interface Dated {
  readonly id: string
  readonly at: number
}

/** Things in the order in which they came to exist, read newest first as of any moment. */
export class Chronicle<T extends Dated> {
  readonly #things: T[] = []
  readonly #byId = new Map<string, T>()

  /** An id that is taken is passed over. */
  add(things: readonly T[]): void {
    const fresh = things.filter(({ id }) => !this.#byId.has(id))
    if (fresh.length === 0) return
    for (const thing of fresh) this.#byId.set(thing.id, thing)
    this.#things.push(...fresh)
    this.#things.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  }

  page({ skip, take }: Slice, time: number): readonly T[] {
    const end = Math.max(0, countBy(this.#things, time) - skip)
    return this.#things.slice(Math.max(0, end - take), end).toReversed()
  }

  find(id: string, time: number): T | null {
    const thing = this.#byId.get(id)
    return thing === undefined || thing.at > time ? null : thing
  }
}
