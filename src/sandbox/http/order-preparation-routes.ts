import type { Hono } from 'hono'
import { orderPreparationDraft } from '../desk/order-preparation-body.ts'
import { orderPreparationDesk } from '../desk/order-preparation-desk.ts'
import { itemRoute } from './item-route.ts'
import { readBody } from './read-body.ts'
import type { Served } from './served.ts'

/** Endpoints 8 and 9. */
export function orderPreparationRoutes(app: Hono, { world, now }: Served): void {
  const shelf = orderPreparationDesk(world.orderPreparations)
  app.get('/v1/orderPreparations/:id', itemRoute({ shelf, now, what: 'order preparation' }))
  app.post('/v1/orderPreparations', async (context) => {
    const read = await readBody(context, orderPreparationDraft)
    return 'refusal' in read ? read.refusal : context.json({ reference: shelf.create(read.body) }, 201)
  })
}
