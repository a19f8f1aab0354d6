import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { ShipbellError } from '../../errors.ts'
import { DELIVERY_STATES } from '../../model/delivery.ts'
import { redact } from '../../redact.ts'
import { feedBody, feedBytes, feedShape, positionOf, readFeed } from '../../report/feed.ts'
import type { Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { ACT_PROBLEMS, answer, READ_PROBLEMS, textAnswer } from './answers.ts'
import { checked, malformed } from './checked.ts'
import { DEFAULT_LIMIT, name, paging, shown, text, whole, wholeOrNull } from './parts.ts'
import { BODY_PROBLEMS, limitedBody, notJson, parsed } from './request-body.ts'

const params = z.object({ name })
const AFTER = 'must be a whole number from 0: a position, or `next` of the page before'
const POSITION = 'must be a whole number from 1: a position of the feed'

const after = z
  .string()
  .regex(/^\d+$/, AFTER)
  .transform(positionOf)
  .optional()
  .openapi({ type: 'integer', minimum: 0, default: 0, description: 'The position behind which the page begins.' })

const feed = z
  .object({
    series: text.openapi({ description: 'What positions belong to.' }),
    items: z.array(
      z.object({
        position: whole,
        event_id: text,
        state: z.enum(DELIVERY_STATES),
        payload: z.any().openapi({
          description:
            'As the subscription gets it, a `body` as text; null: it has expired, was discarded, or is a body that cannot be made.',
        }),
      }),
    ),
    first: wholeOrNull.openapi({ description: 'The oldest position that is kept; null: none is.' }),
    next: wholeOrNull.openapi({ description: 'The `after` of the next page; null: nothing follows.' }),
    head: whole.openapi({ description: 'The newest position; 0: there is none.' }),
  })
  .openapi('Feed')

const FEED = createRoute({
  method: 'get',
  path: '/subscriptions/{name}/feed',
  operationId: 'getFeed',
  summary: 'What a subscription is to receive, oldest first; at most 8 MB',
  request: { params, query: z.object({ after, limit: paging.limit }) },
  responses: { 200: textAnswer('A page of the feed.', shown(feed)), ...READ_PROBLEMS },
})

const taken = z.object({
  position: z.int(POSITION).min(1, POSITION).openapi({ description: 'Whoever reads the feed has all up to it.' }),
})

const ACKNOWLEDGE = createRoute({
  method: 'post',
  path: '/subscriptions/{name}/feed/ack',
  operationId: 'acknowledgeFeed',
  summary: 'Say that everything up to a position was taken, of a `pull` subscription',
  request: { params, body: { required: true, content: { 'application/json': { schema: taken } } } },
  responses: {
    200: answer('How many rows are delivered by it.', shown(z.object({ acknowledged: whole }))),
    ...ACT_PROBLEMS,
    ...BODY_PROBLEMS,
  },
})

/** What subscriptions are to receive, and what was taken of it. */
export function feedRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  routes.openapi(FEED, async (c) => {
    const { name: subscription } = c.req.valid('param')
    const { after: from = 0, limit = DEFAULT_LIMIT } = c.req.valid('query')
    const { accounts, store, subscriptions } = desks.deskOf(c.get('asker'))
    const settings = subscriptions().find((each) => each.name === subscription)
    const [shape, bodyOf] = [feedShape(settings), feedBody(settings, { accounts: accounts(), shown: redact })]
    const page = await readFeed(store, { subscription, after: from, limit, shape, bodyOf })
    if (page === null) throw new ShipbellError('not_found', `There is no subscription ${JSON.stringify(subscription)}.`)
    return new Response(feedBytes(page), { headers: { 'Content-Type': 'application/json' } })
  })
  // Programs name no media type more often than a wrong one: the body is read as JSON whatever it is called.
  routes.openAPIRegistry.registerPath(ACKNOWLEDGE)
  routes.post('/subscriptions/:name/feed/ack', limitedBody, async (c) => {
    const asked = params.safeParse(c.req.param())
    if (asked.data === undefined) return malformed('param', asked.error.issues)
    const body = parsed(await c.req.text())
    if (body === undefined) return notJson()
    const { data, error } = taken.safeParse(body)
    if (data === undefined) return malformed('body', error.issues)
    const asker = c.get('asker')
    const desk = desks.deskOf(asker)
    return c.json({ acknowledged: await desk.actionsOf(asker).takeFeed(asked.data.name, data.position) }, 200)
  })
  return routes
}
