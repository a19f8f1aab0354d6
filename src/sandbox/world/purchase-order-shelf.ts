import { LONGEST_LEAD, placeOrders } from '../life/place-orders.ts'
import { renderPurchaseOrder } from '../render/render-purchase-order.ts'
import { fleetShelf } from './fleet-shelf.ts'
import type { Fleet } from './fleet.ts'
import type { Shelf } from './shelf.ts'

/** Purchase orders by the moment of their placing; those of shipments that are not drafted yet as well. */
export function purchaseOrderShelf(fleet: Fleet): Shelf {
  return fleetShelf({
    fleet,
    leadMs: LONGEST_LEAD,
    thingsOf: (life) => placeOrders(life).map((order) => ({ id: order.number, at: order.at, life, order })),
    render: ({ life, order }, time) => renderPurchaseOrder(life, order, time),
  })
}
