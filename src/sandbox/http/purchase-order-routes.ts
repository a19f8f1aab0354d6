import type { Hono } from 'hono'
import { purchaseOrderDesk } from '../desk/purchase-order-desk.ts'
import { purchaseOrderDraft, purchaseOrderUpdate } from '../desk/purchase-order-body.ts'
import { textField } from '../../model/json.ts'
import { itemRoute } from './item-route.ts'
import { listRoute } from './list-route.ts'
import { readBody } from './read-body.ts'
import { refuse } from './refuse.ts'
import type { Served } from './served.ts'

/** Endpoints 4 to 7. A supplier is known by the id of its location. */
export function purchaseOrderRoutes(app: Hono, { world, now, rowShift }: Served): void {
  const shelf = purchaseOrderDesk(world.purchaseOrders, (supplierId, time) =>
    textField(world.locations.find(supplierId, time) ?? undefined, 'company_name'),
  )
  app.get('/v1/purchaseOrders', listRoute({ shelf, now, rowShift }))
  app.get('/v1/purchaseOrders/:id', itemRoute({ shelf, now, what: 'purchase order' }))
  app.post('/v1/purchaseOrders', async (context) => {
    const read = await readBody(context, purchaseOrderDraft)
    if ('refusal' in read) return read.refusal
    const { reference } = read.body
    return shelf.create(read.body, now()) === 'created'
      ? context.json({ reference }, 201)
      : refuse(context, 409, `There is a purchase order ${quoted(reference)} already.`)
  })
  app.patch('/v1/purchaseOrders', async (context) => {
    const read = await readBody(context, purchaseOrderUpdate)
    if ('refusal' in read) return read.refusal
    const { reference } = read.body
    const result = shelf.update(read.body, now())
    switch (result) {
      case 'updated':
        return context.json({ reference })
      case 'unknown':
        return refuse(context, 404, `There is no purchase order ${quoted(reference)}.`)
      case 'on_a_shipment':
        return refuse(
          context,
          409,
          `The purchase order ${quoted(reference)} is on a shipment already and cannot be changed.`,
        )
      default:
        return result satisfies never
    }
  })
}

function quoted(reference: string): string {
  return JSON.stringify(reference.slice(0, 200))
}
