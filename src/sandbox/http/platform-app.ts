import { Hono } from 'hono'
import { invoiceRoutes } from './invoice-routes.ts'
import { refuse } from './refuse.ts'
import { requireKey } from './require-key.ts'
import type { Served } from './served.ts'
import { shipmentRoutes } from './shipment-routes.ts'
import { trackingRoutes } from './tracking-routes.ts'

/** The platform's HTTP interface over a world. Paths that no endpoint has answer 404 with an object. */
export function platformApp(served: Served & { readonly apiKey: string }): Hono {
  const app = new Hono()
  app.use(requireKey(served.apiKey))
  shipmentRoutes(app, served)
  trackingRoutes(app, served)
  invoiceRoutes(app, served)
  app.notFound((context) =>
    refuse(context, 404, `There is no endpoint ${context.req.method} ${context.req.path.slice(0, 200)}.`),
  )
  return app
}
