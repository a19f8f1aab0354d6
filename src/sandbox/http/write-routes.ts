import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import { textField } from '../../model/json.ts'
import { orderPreparationDesk, orderPreparationDraft } from '../desk/order-preparation-desk.ts'
import { purchaseOrderDesk, purchaseOrderDraft, purchaseOrderUpdate } from '../desk/purchase-order-desk.ts'
import { itemRoute, listRoute, refuse, type Served } from './record-routes.ts'

/** Purchase orders, read and written. A supplier is known by the id of its location. */
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

/** Order preparations, made and read. */
export function orderPreparationRoutes(app: Hono, { world, now }: Served): void {
  const shelf = orderPreparationDesk(world.orderPreparations)
  app.get('/v1/orderPreparations/:id', itemRoute({ shelf, now, what: 'order preparation' }))
  app.post('/v1/orderPreparations', async (context) => {
    const read = await readBody(context, orderPreparationDraft)
    return 'refusal' in read ? read.refusal : context.json({ reference: shelf.create(read.body) }, 201)
  })
}

const LARGEST = 1024 * 1024

/** The body of a write, or the refusal that says what is wrong with it. */
async function readBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<{ readonly body: z.infer<Schema> } | { readonly refusal: Response }> {
  const text = await readText(context.req.raw)
  if (text === null) return { refusal: refuse(context, 413, 'The body is larger than 1 MiB.') }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { refusal: refuse(context, 400, 'The body must be JSON, but it is not.') }
  }
  const result = schema.safeParse(value)
  if (result.success) return { body: result.data }
  const [issue] = result.error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'The body' : `The field ${issue.path.join('.')}`
  return { refusal: refuse(context, 400, `${where} must be ${issue?.message ?? 'valid'}.`) }
}

/**
 * The text of a body; null: it is too large. It is read to its end all the same, or the client would see a closed connection
 * instead of the refusal.
 */
async function readText({ body }: Request): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes <= LARGEST) chunks.push(chunk)
  }
  return bytes > LARGEST ? null : Buffer.concat(chunks).toString('utf8')
}
