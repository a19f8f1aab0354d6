import type { Hono } from 'hono'
import { itemRoute } from './item-route.ts'
import type { Served } from './served.ts'

/** Endpoint 3. */
export function trackingRoutes(app: Hono, { world, now }: Served): void {
  app.get('/v1/tracking/:id', itemRoute({ shelf: world.tracking, now, what: 'tracking of a shipment' }))
}
