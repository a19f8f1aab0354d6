import type { Hono } from 'hono'
import type { Shelf } from '../world/shelf.ts'
import { itemRoute } from './item-route.ts'
import { linkSigner } from './link-signer.ts'
import { listRoute } from './list-route.ts'
import type { Served } from './served.ts'

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
