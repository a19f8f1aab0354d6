import { renderOrderPreparation } from '../render/render-order-preparation.ts'
import type { Fleet } from './fleet.ts'
import type { Shelf } from './shelf.ts'

/** Seeded preparations: OP-1 is that of the first shipment, OP-2 that of the third, and so on. */
export function orderPreparationShelf(fleet: Fleet): Pick<Shelf, 'find'> {
  return {
    find: (reference, time) => {
      const serial = Number(/^OP-([1-9]\d{0,8})$/.exec(reference)?.[1] ?? Number.NaN)
      const index = (serial - 1) * 2
      return index < fleet.countBy(time) ? renderOrderPreparation(fleet.nth(index), time) : null
    },
  }
}
