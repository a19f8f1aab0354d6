import { ShipbellError } from '../../errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Shelf } from '../world/shelf.ts'
import type { World } from '../world/world.ts'
import { earliest, ordersOf, type Delivery } from './delivery.ts'
import { renderDelivery, renderOrder } from './render-deliveries.ts'

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

const DAY = 86_400_000

/** The first midnight (UTC) of the data, before anything of it happens. Throws `usage` for data without a date. */
export function firstMidnight(deliveries: readonly Delivery[]): number {
  const first = earliest(
    deliveries.flatMap(({ scheduledDay, delivered }) => [
      scheduledDay,
      delivered?.day ?? null,
      delivered?.recordedDay ?? null,
    ]),
  )
  if (first !== null) return first * DAY
  throw new ShipbellError(
    'usage',
    '--data names a file without any delivery that has a date; there is nothing to replay.',
  )
}

/** Things that are all there from the start, in the order of the data: only what they show changes. */
function fixedShelf<T>(
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

const EMPTY_SHELF: Shelf = { page: () => [], find: () => null }
