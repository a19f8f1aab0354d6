import type { JsonObject } from '../../model/json.ts'
import type { Life } from '../life/life.ts'
import { countBy } from '../life/timeline.ts'
import type { Fleet } from './fleet.ts'
import type { Shelf, Slice } from './shelf.ts'

/** What the lives of a fleet bring forth, newest first, brought up to the moment it is asked for. */
export function fleetShelf<T extends Dated>(options: {
  readonly fleet: Fleet
  /** How long before the birth of a shipment its things may exist. */
  readonly leadMs: number
  readonly thingsOf: (life: Life) => readonly T[]
  readonly render: (thing: T, time: number) => JsonObject
}): Shelf {
  const { fleet, leadMs, thingsOf, render } = options
  const chronicle = new Chronicle<T>()
  let lives = 0
  const catchUp = (time: number): void => {
    const known = fleet.countBy(time + leadMs)
    if (known <= lives) return
    chronicle.add(Array.from({ length: known - lives }, (_, nth) => thingsOf(fleet.nth(lives + nth))).flat())
    lives = known
  }
  return {
    page: (slice, time) => {
      catchUp(time)
      return chronicle.page(slice, time).map((thing) => render(thing, time))
    },
    find: (id, time) => {
      catchUp(time)
      const thing = chronicle.find(id, time)
      return thing === null ? null : render(thing, time)
    },
  }
}

/** Something with an id that exists from a moment on. */
export interface Dated {
  readonly id: string
  readonly at: number
}

/** Things in the order in which they came to exist, read newest first as of any moment. */
class Chronicle<T extends Dated> {
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
