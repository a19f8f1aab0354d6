import type { World } from '../world/world.ts'
import type { Delivery } from './delivery.ts'
import { EMPTY_SHELF, fixedShelf } from './fixed-shelf.ts'
import { ordersOf } from './order.ts'
import { renderDelivery } from './render-delivery.ts'
import { renderOrder } from './render-order.ts'

/**
 * Real deliveries as a platform's data (guarantee X2, `--data`). The data does not say when a shipment was created:
 * all exist from the start. It knows no tracking events, invoices, documents, order preparations or locations: there are none.
 */
export function deliveriesWorld(deliveries: readonly Delivery[]): World {
  return {
    shipments: fixedShelf(deliveries, { id: ({ id }) => id, render: renderDelivery }),
    tracking: EMPTY_SHELF,
    invoices: EMPTY_SHELF,
    purchaseOrders: fixedShelf(ordersOf(deliveries), { id: ({ number }) => number, render: renderOrder }),
    documents: EMPTY_SHELF,
    orderPreparations: EMPTY_SHELF,
    locations: EMPTY_SHELF,
  }
}
