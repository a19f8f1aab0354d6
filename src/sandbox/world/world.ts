import type { WorldOptions } from './births.ts'
import { Fleet } from './fleet.ts'
import { invoiceShelf } from './invoice-shelf.ts'
import type { Shelf } from './shelf.ts'
import { shipmentShelf } from './shipment-shelf.ts'
import { trackingShelf } from './tracking-shelf.ts'

/** What the platform holds: a pure function of seed, number of shipments, start and time. */
export interface World {
  readonly shipments: Shelf
  readonly tracking: Pick<Shelf, 'find'>
  readonly invoices: Shelf
}

export function createWorld(options: WorldOptions): World {
  const fleet = new Fleet(options)
  return { shipments: shipmentShelf(fleet), tracking: trackingShelf(fleet), invoices: invoiceShelf(fleet) }
}
