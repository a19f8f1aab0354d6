import { renderShipment } from '../render/render-shipment.ts'
import type { Fleet } from './fleet.ts'
import { rememberLast } from './remember-last.ts'
import type { Shelf } from './shelf.ts'

export function shipmentShelf(fleet: Fleet): Shelf {
  const render = rememberLast(renderShipment)
  return {
    page: ({ skip, take }, time) => {
      const newest = fleet.countBy(time) - 1 - skip
      const rows = Math.max(0, Math.min(take, newest + 1))
      return Array.from({ length: rows }, (_, row) => render(fleet.nth(newest - row), time))
    },
    find: (id, time) => {
      const life = fleet.byId(id, time)
      return life === null ? null : render(life, time)
    },
  }
}
