import type { Hono } from 'hono'
import { linkSigner } from './file-routes.ts'
import type { Shelf } from '../world/shelf.ts'
import { itemRoute, listRoute, type Served } from './record-routes.ts'

/** What is only read: endpoints 1 to 3 and 10 to 15. Links of documents are signed for each answer anew. */
export function readRoutes(app: Hono, { world, now, rowShift }: Served): void {
  const list = (shelf: Shelf) => listRoute({ shelf, now, rowShift })
  const item = (shelf: Pick<Shelf, 'find'>, what: string) => itemRoute({ shelf, now, what })
  const { shipments, tracking, locations, invoices } = world
  const shown = linkSigner(now)
  app.get('/v1/shipments', listRoute({ shelf: shipments, now, rowShift, emptyIs404: 'No shipments were found.' }))
  app.get('/v1/shipments/:id', item(shipments, 'shipment'))
  app.get('/v1/tracking/:id', item(tracking, 'tracking of a shipment'))
  app.get('/v1/locations', list(locations))
  app.get('/v1/locations/:id', item(locations, 'location'))
  app.get('/v1/invoices', list(invoices))
  app.get('/v1/invoices/:id', item(invoices, 'invoice'))
  app.get('/v1/documents', listRoute({ shelf: world.documents, now, rowShift, shown }))
  app.get('/v1/documents/:id', itemRoute({ shelf: world.documents, now, what: 'document', shown }))
}
