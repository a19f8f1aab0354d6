import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import type { AdminActions, Asker } from '../admin-context.ts'
import type { Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { ended, problemResponse } from '../problem.ts'
import type { AskedWrongly } from '../runtime-actions.ts'
import { subscription as subscriptionShape } from './account-shapes.ts'
import { ACT_PROBLEMS, answer } from './answers.ts'
import { checked } from './checked.ts'
import { name, shown } from './parts.ts'
import { BODY_PROBLEMS, limitedBody, notJson, parsed } from './request-body.ts'
import { newSubscription, secret, subscriptionChange, subscriptionWithSecret } from './runtime-shapes.ts'
import { subscribeFor, subscriptionJson } from './subscribe-for.ts'

const params = z.object({ name })

function bodyOf(schema: z.ZodType) {
  return { body: { required: true, content: { 'application/json': { schema } } } }
}

const SUBSCRIBE = createRoute({
  method: 'post',
  path: '/subscriptions',
  operationId: 'createSubscription',
  summary: 'Make a subscription; it is verified by a test before anything else is sent',
  request: bodyOf(newSubscription),
  responses: {
    201: answer('The subscription, and its secret.', shown(subscriptionWithSecret)),
    ...ACT_PROBLEMS,
    ...BODY_PROBLEMS,
  },
})
const ALTER = createRoute({
  method: 'patch',
  path: '/subscriptions/{name}',
  operationId: 'updateSubscription',
  summary: 'Change what is named; null takes a key back to its default',
  request: { params, ...bodyOf(subscriptionChange) },
  responses: {
    200: answer('The subscription as it is now.', shown(subscriptionShape)),
    ...ACT_PROBLEMS,
    ...BODY_PROBLEMS,
  },
})
const END = createRoute({
  method: 'delete',
  path: '/subscriptions/{name}',
  operationId: 'deleteSubscription',
  summary: 'End a subscription that was made at run time: what waits is discarded',
  request: { params },
  responses: { 204: { description: 'It has ended.' }, ...ACT_PROBLEMS },
})
const ROTATE = createRoute({
  method: 'post',
  path: '/subscriptions/{name}/rotate-secret',
  operationId: 'rotateSubscriptionSecret',
  summary: 'Give it another secret: the one before it signs beside it for 24 hours',
  request: { params },
  responses: { 200: answer('The new secret.', z.object({ name, secret })), ...ACT_PROBLEMS },
})

/** Subscriptions that are made, changed and ended at run time. */
export function runtimeRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const actionsFor = (asker: Asker): AdminActions => desks.deskOf(asker).actionsOf(asker)
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  // Bodies are judged as the file is, and read as JSON whatever they are called.
  routes.openAPIRegistry.registerPath(SUBSCRIBE)
  routes.post('/subscriptions', limitedBody, async (c) => {
    const body = keysIn(await c.req.text())
    if (body instanceof Response) return body
    const asker = c.get('asker')
    const made = await subscribeFor(desks, asker, body)
    if ('problems' in made) return askedWrongly(made)
    return c.json(made.subscription, 201, {
      Location: `/api/v1/subscriptions/${made.name}`,
      'Cache-Control': 'no-store',
    })
  })
  routes.openAPIRegistry.registerPath(ALTER)
  routes.patch('/subscriptions/:name', limitedBody, async (c) => {
    const body = keysIn(await c.req.text())
    if (body instanceof Response) return body
    const asker = c.get('asker')
    const came = await actionsFor(asker).alter(c.req.param('name'), body)
    return 'problems' in came ? askedWrongly(came) : c.json(await subscriptionJson(desks.deskOf(asker), came.name), 200)
  })
  routes.openapi(END, async (c) => {
    await actionsFor(c.get('asker')).unsubscribe(c.req.valid('param').name)
    return c.body(null, 204)
  })
  routes.openapi(ROTATE, async (c) => {
    const { name: asker } = c.req.valid('param')
    const rotated = await actionsFor(c.get('asker')).rotateSecret(asker)
    return c.json({ name: asker, secret: rotated }, 200, { 'Cache-Control': 'no-store' })
  })
  return routes
}

function keysIn(body: string): JsonObject | Response {
  const value = parsed(body)
  if (value === undefined) return notJson()
  if (isJson(value) && isJsonObject(value)) return value
  return askedWrongly({
    problems: [{ at: '', says: 'The body must be an object with keys such as name, url, events' }],
  })
}

/** What `JSON.parse` gives is nothing else. */
function isJson(value: unknown): value is Json {
  return value !== undefined
}

/** 422, naming each place. */
function askedWrongly({ problems }: AskedWrongly): Response {
  const errors = problems.map(({ at, says }) => ({ in: 'body', name: at, detail: says }))
  const [first] = errors
  const detail = ended(first?.detail ?? 'The request is malformed')
  return problemResponse({ status: 422, detail, extras: { errors } })
}
