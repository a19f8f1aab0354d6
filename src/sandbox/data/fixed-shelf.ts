import type { JsonObject } from '../../model/json.ts'
import type { Shelf } from '../world/shelf.ts'

/** Things that are all there from the start, in the order of the data: only what they show changes. */
export function fixedShelf<T>(
  things: readonly T[],
  of: { readonly id: (thing: T) => string; readonly render: (thing: T, time: number) => JsonObject },
): Shelf {
  const byId = new Map(things.map((thing) => [of.id(thing), thing]))
  return {
    page: ({ skip, take }, time) => things.slice(skip, skip + take).map((thing) => of.render(thing, time)),
    find: (id, time) => {
      const thing = byId.get(id)
      return thing === undefined ? null : of.render(thing, time)
    },
  }
}

export const EMPTY_SHELF: Shelf = { page: () => [], find: () => null }
