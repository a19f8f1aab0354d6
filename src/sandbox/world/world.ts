import { Fleet, type WorldOptions } from './fleet.ts'
import { documentShelf } from './documents.ts'
import { invoiceShelf } from './invoices.ts'
import { locationShelf } from './locations.ts'
import { orderPreparationShelf } from './order-preparations.ts'
import { purchaseOrderShelf } from './purchase-orders.ts'
import type { Shelf } from './shelf.ts'
import { shipmentShelf } from './shipments.ts'
import { trackingShelf } from './tracking.ts'

/** What the platform holds before anybody writes: a pure function of seed, number of shipments, start and time. */
export interface World {
  readonly shipments: Shelf
  readonly tracking: Pick<Shelf, 'find'>
  readonly invoices: Shelf
  readonly documents: Shelf
  readonly purchaseOrders: Shelf
  readonly orderPreparations: Pick<Shelf, 'find'>
  readonly locations: Shelf
}

export function createWorld(options: WorldOptions): World {
  const fleet = new Fleet(options)
  return {
    shipments: shipmentShelf(fleet),
    tracking: trackingShelf(fleet),
    invoices: invoiceShelf(fleet),
    documents: documentShelf(fleet),
    purchaseOrders: purchaseOrderShelf(fleet),
    orderPreparations: orderPreparationShelf(fleet),
    locations: locationShelf(fleet, options.seed),
  }
}
