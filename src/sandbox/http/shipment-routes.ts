import type { Hono } from 'hono'
import { itemRoute } from './item-route.ts'
import { listRoute } from './list-route.ts'
import type { Served } from './served.ts'

/** Endpoints 1 and 2. */
export function shipmentRoutes(app: Hono, { world, now, rowShift }: Served): void {
  app.get('/v1/shipments', listRoute({ shelf: world.shipments, now, rowShift, emptyIs404: 'No shipments were found.' }))
  app.get('/v1/shipments/:id', itemRoute({ shelf: world.shipments, now, what: 'shipment' }))
}
