import type { JsonObject } from '../../model/json.ts'
import type { Life } from '../life/life.ts'
import { Chronicle, type Dated } from './chronicle.ts'
import type { Fleet } from './fleet.ts'
import type { Shelf } from './shelf.ts'

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
