import type { Hono } from 'hono'
import { itemRoute } from './item-route.ts'
import { listRoute } from './list-route.ts'
import type { Served } from './served.ts'

/** Endpoints 10 and 11. */
export function locationRoutes(app: Hono, { world, now, rowShift }: Served): void {
  app.get('/v1/locations', listRoute({ shelf: world.locations, now, rowShift }))
  app.get('/v1/locations/:id', itemRoute({ shelf: world.locations, now, what: 'location' }))
}
