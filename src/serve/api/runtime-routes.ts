import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { ShipbellError } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import type { Subscription } from '../../model/subscription.ts'
import { withOwned } from '../../model/scope.ts'
import { redact } from '../../redact.ts'
import { endpointJson } from '../../report/endpoint.ts'
import { runtimeJson } from '../../report/runtime-subscription.ts'
import type { AdminActions, Asker } from '../admin-context.ts'
import type { Desk, Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { problemResponse } from '../problem.ts'
import type { AskedWrongly } from '../runtime-actions.ts'
import { subscription as subscriptionShape } from './account-shapes.ts'
import { ACT_PROBLEMS, answer } from './answers.ts'
import { checked } from './checked.ts'
import { name, shown, text } from './parts.ts'
import { BODY_PROBLEMS, limitedBody, notJson, parsed } from './request-body.ts'

const params = z.object({ name })
const texts = z.array(text)

/** The keys that the file has, too: it is judged as one of the file is. */
const keys = {
  url: z.string().openapi({ description: 'Where events are posted: https, at a public address.', format: 'uri' }),
  events: texts.openapi({ description: 'Exact types, `prefix.*`, or `*`.' }),
  accounts: texts.nullish().openapi({ description: 'The accounts whose events are sent; all that may be by default.' }),
  where: z.string().nullish().openapi({ description: 'A condition on these events, in CEL over the payload.' }),
  min_shift: z.string().nullish().openapi({ description: 'Date changes are sent only when this far: `12h`.' }),
  payload: z.enum(['full', 'thin', 'auto']).nullish(),
  omit: texts.nullish().openapi({ description: 'JSON Pointers of what is left out of records.' }),
  order: z.enum(['none', 'subject']).nullish(),
  rate: z.object({ requests: z.int(), per: z.string() }).nullish(),
  start: z.enum(['live', 'snapshot']).nullish().openapi({
    description: '`snapshot`: it is first sent every known record, once it is verified.',
  }),
  watermark: z.string().nullish().openapi({ description: 'How often it is told how far it is complete: `1m`.' }),
  headers: z.record(z.string(), z.string()).nullish().openapi({ description: 'Extra request headers.' }),
}
const asked = z.looseObject({ name, ...keys }).openapi('NewSubscription')
const changed = z.looseObject(keys).partial().openapi('SubscriptionChange')

const secret = text.openapi({ description: 'What signs it: it is shown this once.' })
const made = subscriptionShape.extend({ secret })

function bodyOf(schema: z.ZodType) {
  return { body: { required: true, content: { 'application/json': { schema } } } }
}

const SUBSCRIBE = createRoute({
  method: 'post',
  path: '/subscriptions',
  operationId: 'createSubscription',
  summary: 'Make a subscription; it is verified by a test before anything else is sent',
  request: bodyOf(asked),
  responses: { 201: answer('The subscription, and its secret.', shown(made)), ...ACT_PROBLEMS, ...BODY_PROBLEMS },
})
const ALTER = createRoute({
  method: 'patch',
  path: '/subscriptions/{name}',
  operationId: 'updateSubscription',
  summary: 'Change what is named; null takes a key back to its default',
  request: { params, ...bodyOf(changed) },
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
    const came = await actionsFor(asker).subscribe(body)
    if ('problems' in came) return askedWrongly(came)
    const desk = desks.deskOf({ ...asker, scope: withOwned(asker.scope, came.name) })
    const location = `/api/v1/subscriptions/${came.name}`
    return c.json({ ...(await subscriptionJson(desk, came.name)), secret: came.secret }, 201, {
      Location: location,
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

/** One subscription: as lists show it, and what was asked for where it was made at run time; nothing of it that may be secret. */
export async function subscriptionJson(
  { clock, store, subscriptions }: Pick<Desk, 'clock' | 'store' | 'subscriptions'>,
  asked: string,
): Promise<JsonObject> {
  const found = (await store.endpoints()).find(({ subscription }) => subscription === asked)
  if (found === undefined) throw new ShipbellError('not_found', `There is no subscription ${JSON.stringify(asked)}.`)
  const settings = subscriptions().find((each) => each.name === asked)
  const [run] = await store.snapshotRuns({ which: 'last', subscription: asked })
  return {
    ...endpointJson(found, clock.now(), run),
    ...runtimeJson(found, settings === undefined ? null : shownUrl(settings)),
  }
}

/** Where events are posted, without what of that may be secret. */
function shownUrl({ channel }: Subscription): string | null {
  return 'url' in channel ? redact(channel.url, channel.hidden) : null
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
  const detail = `${first?.detail ?? 'The request is malformed'}.`
  return problemResponse({ status: 422, detail, extras: { errors } })
}
