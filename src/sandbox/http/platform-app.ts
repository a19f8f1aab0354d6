import { Hono } from 'hono'
import type { FaultSource } from '../faults/fault-source.ts'
import { injectFaults } from '../faults/inject-faults.ts'
import type { World } from '../world/world.ts'
import { documentRoutes } from './document-routes.ts'
import { invoiceRoutes } from './invoice-routes.ts'
import { locationRoutes } from './location-routes.ts'
import { orderPreparationRoutes } from './order-preparation-routes.ts'
import { purchaseOrderRoutes } from './purchase-order-routes.ts'
import { refuse } from './refuse.ts'
import { requireKey } from './require-key.ts'
import { shipmentRoutes } from './shipment-routes.ts'
import { trackingRoutes } from './tracking-routes.ts'

export interface PlatformAppOptions {
  readonly world: World
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  readonly apiKey: string
  readonly faults: FaultSource
}

/** The platform's HTTP interface over a world. Paths that no endpoint has answer 404 with an object. */
export function platformApp({ world, now, apiKey, faults }: PlatformAppOptions): Hono {
  const app = new Hono()
  app.use(requireKey(apiKey))
  app.use(injectFaults(faults))
  const served = { world, now, rowShift: (request: Request) => faults.rowShift(request) }
  shipmentRoutes(app, served)
  trackingRoutes(app, served)
  purchaseOrderRoutes(app, served)
  orderPreparationRoutes(app, served)
  locationRoutes(app, served)
  invoiceRoutes(app, served)
  documentRoutes(app, served)
  app.notFound((context) =>
    refuse(context, 404, `There is no endpoint ${context.req.method} ${context.req.path.slice(0, 200)}.`),
  )
  return app
}
