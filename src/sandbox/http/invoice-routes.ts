import type { Hono } from 'hono'
import { itemRoute } from './item-route.ts'
import { listRoute } from './list-route.ts'
import type { Served } from './served.ts'

/** Endpoints 12 and 13. */
export function invoiceRoutes(app: Hono, { world, now, rowShift }: Served): void {
  app.get('/v1/invoices', listRoute({ shelf: world.invoices, now, rowShift }))
  app.get('/v1/invoices/:id', itemRoute({ shelf: world.invoices, now, what: 'invoice' }))
}
