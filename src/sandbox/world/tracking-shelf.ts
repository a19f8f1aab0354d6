import { renderTracking } from '../render/render-tracking.ts'
import type { Fleet } from './fleet.ts'
import { rememberLast } from './remember-last.ts'
import type { Shelf } from './shelf.ts'

export function trackingShelf(fleet: Fleet): Pick<Shelf, 'find'> {
  const render = rememberLast(renderTracking)
  return {
    find: (id, time) => {
      const life = fleet.byId(id, time)
      return life === null ? null : render(life, time)
    },
  }
}
