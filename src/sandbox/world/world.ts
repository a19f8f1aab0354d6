import type { WorldOptions } from './births.ts'
import { documentShelf } from './document-shelf.ts'
import { Fleet } from './fleet.ts'
import { invoiceShelf } from './invoice-shelf.ts'
import { locationShelf } from './location-shelf.ts'
import { orderPreparationShelf } from './order-preparation-shelf.ts'
import { purchaseOrderShelf } from './purchase-order-shelf.ts'
import type { Shelf } from './shelf.ts'
import { shipmentShelf } from './shipment-shelf.ts'
import { trackingShelf } from './tracking-shelf.ts'

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
