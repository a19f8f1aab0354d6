import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import { formatInstant } from '../../model/instant.ts'
import { textField, type JsonObject } from '../../model/json.ts'
import type { Shelf } from '../world/shelf.ts'
import { itemRoute, listRoute, type Served } from './record-routes.ts'

/** What is only read: endpoints 1 to 3 and 10 to 15. Links of documents are signed for each answer anew. */
export function readRoutes(app: Hono, { world, now, rowShift }: Served): void {
  const list = (shelf: Shelf) => listRoute({ shelf, now, rowShift })
  const item = (shelf: Pick<Shelf, 'find'>, what: string) => itemRoute({ shelf, now, what })
  const { shipments, tracking, locations, invoices } = world
  const documents = withSignedLinks(world.documents)
  app.get('/v1/shipments', listRoute({ shelf: shipments, now, rowShift, emptyIs404: 'No shipments were found.' }))
  app.get('/v1/shipments/:id', item(shipments, 'shipment'))
  app.get('/v1/tracking/:id', item(tracking, 'tracking of a shipment'))
  app.get('/v1/locations', list(locations))
  app.get('/v1/locations/:id', item(locations, 'location'))
  app.get('/v1/invoices', list(invoices))
  app.get('/v1/invoices/:id', item(invoices, 'invoice'))
  app.get('/v1/documents', list(documents))
  app.get('/v1/documents/:id', item(documents, 'document'))
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

/** Signs the `link` of a document for some minutes. No two links are alike, so that a client has to treat a new link as no change. */
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
