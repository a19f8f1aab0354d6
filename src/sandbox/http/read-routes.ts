import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import { formatInstant } from '../../model/instant.ts'
import { textField, type JsonObject } from '../../model/json.ts'
import type { Shelf } from '../world/shelf.ts'
import { itemRoute, listRoute, type Served } from './record-routes.ts'

/** Endpoints 1 and 2. */
export function shipmentRoutes(app: Hono, { world, now, rowShift }: Served): void {
  app.get('/v1/shipments', listRoute({ shelf: world.shipments, now, rowShift, emptyIs404: 'No shipments were found.' }))
  app.get('/v1/shipments/:id', itemRoute({ shelf: world.shipments, now, what: 'shipment' }))
}

/** Endpoint 3. */
export function trackingRoutes(app: Hono, { world, now }: Served): void {
  app.get('/v1/tracking/:id', itemRoute({ shelf: world.tracking, now, what: 'tracking of a shipment' }))
}

/** Endpoints 10 and 11. */
export function locationRoutes(app: Hono, { world, now, rowShift }: Served): void {
  app.get('/v1/locations', listRoute({ shelf: world.locations, now, rowShift }))
  app.get('/v1/locations/:id', itemRoute({ shelf: world.locations, now, what: 'location' }))
}

/** Endpoints 12 and 13. */
export function invoiceRoutes(app: Hono, { world, now, rowShift }: Served): void {
  app.get('/v1/invoices', listRoute({ shelf: world.invoices, now, rowShift }))
  app.get('/v1/invoices/:id', itemRoute({ shelf: world.invoices, now, what: 'invoice' }))
}

/** Endpoints 14 and 15. Links are signed for each answer anew. */
export function documentRoutes(app: Hono, { world, now, rowShift }: Served): void {
  const shelf = withSignedLinks(world.documents)
  app.get('/v1/documents', listRoute({ shelf, now, rowShift }))
  app.get('/v1/documents/:id', itemRoute({ shelf, now, what: 'document' }))
}

function withSignedLinks(shelf: Shelf): Shelf {
  const sign = linkSigner()
  return {
    page: (slice, time) => shelf.page(slice, time).map((document) => sign(document, time)),
    find: (id, time) => {
      const document = shelf.find(id, time)
      return document === null ? null : sign(document, time)
    },
  }
}

const VALID_MS = 15 * 60_000

/** Signs the `link` of a document for some minutes; never twice alike, so that a link that changes is seen to be no news. */
function linkSigner(): (document: JsonObject, time: number) => JsonObject {
  let signed = 0
  return (document, time) => {
    const link = textField(document, 'link')
    if (link === null) return document
    signed += 1
    const expires = formatInstant(time + VALID_MS)
    const signature = createHash('sha256').update(`${signed} ${link} ${expires}`).digest('hex').slice(0, 32)
    return { ...document, link: `${link}?X-Expires=${expires}&X-Signature=${signature}` }
  }
}
