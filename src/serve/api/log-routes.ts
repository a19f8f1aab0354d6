import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { ShipbellError } from '../../errors.ts'
import { DELIVERY_STATES } from '../../model/delivery.ts'
import type { Page } from '../../model/page.ts'
import { readPointInTime } from '../../model/point-in-time.ts'
import { typesLike } from '../../model/types-like.ts'
import { deliveryJson, tracedDeliveryJson } from '../../report/delivery.ts'
import { eventTrace } from '../../report/event-story.ts'
import { droppedWords } from '../../report/dropped-words.ts'
import type { EventQuery } from '../../store/ports/log-query-port.ts'
import type { Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { answer, READ_PROBLEMS, textAnswer } from './answers.ts'
import { checked } from './checked.ts'
import { delivery, deliveryWithAttempts, payload, story, SUBJECTS } from './log-shapes.ts'
import {
  DEFAULT_LIMIT,
  accountName,
  eventType,
  id,
  listOf,
  oneOrMore,
  paging,
  shown,
  subscriptionName,
  time,
} from './parts.ts'

const EVENTS = createRoute({
  method: 'get',
  path: '/events',
  operationId: 'listEvents',
  summary: 'Events that rang, newest first',
  request: {
    query: z.object({
      ...paging,
      account: accountName.optional(),
      type: oneOrMore(eventType).openapi({ description: 'An event type, or a glob; may be given several times.' }),
      resource: z.enum(SUBJECTS).optional(),
      subject: id.optional().openapi({ description: 'The id of a shipment, an invoice …' }),
      since: time.optional(),
      until: time.optional(),
    }),
  },
  responses: { 200: textAnswer('Payloads.', listOf(payload)), ...READ_PROBLEMS },
})
const EVENT = createRoute({
  method: 'get',
  path: '/events/{id}',
  operationId: 'getEvent',
  summary: 'One event, and what explains it',
  request: { params: z.object({ id }) },
  responses: { 200: answer('As `events show --json`.', shown(story)), ...READ_PROBLEMS },
})
const DELIVERIES = createRoute({
  method: 'get',
  path: '/deliveries',
  operationId: 'listDeliveries',
  summary: 'Rows of the ledger, newest event first',
  request: {
    query: z.object({
      ...paging,
      subscription: subscriptionName.optional(),
      state: oneOrMore(z.enum(DELIVERY_STATES), DELIVERY_STATES).openapi({
        description: 'May be given several times.',
      }),
      event: id.optional().openapi({ description: 'The id of an event.' }),
      account: accountName.optional(),
      since: time.optional().openapi({ description: 'The event rang since: a date-time, a date, or a duration ago.' }),
    }),
  },
  responses: { 200: answer('Rows.', listOf(delivery)), ...READ_PROBLEMS },
})
const DELIVERY = createRoute({
  method: 'get',
  path: '/deliveries/{id}',
  operationId: 'getDelivery',
  summary: 'One row of the ledger, with its attempts',
  request: { params: z.object({ id }) },
  responses: { 200: answer('The row.', shown(deliveryWithAttempts)), ...READ_PROBLEMS },
})

/** The log and the ledger. */
export function logRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  const at = (point: string): number => readPointInTime(point, desks.clock.now()) ?? 0
  routes.openapi(EVENTS, async (c) => {
    const {
      account,
      resource,
      subject,
      type: globs,
      since,
      until,
      limit = DEFAULT_LIMIT,
      cursor,
    } = c.req.valid('query')
    const types = globs?.flatMap(typesLike)
    const query: EventQuery = {
      limit,
      ...(cursor !== undefined && { cursor }),
      ...(account !== undefined && { account }),
      ...(types !== undefined && { types: [...new Set(types)] }),
      ...(resource !== undefined && { resource }),
      ...(subject !== undefined && { subjectId: subject }),
      ...(since !== undefined && { since: at(since) }),
      ...(until !== undefined && { until: at(until) }),
    }
    const desk = desks.deskOf(c.get('asker'))
    const page = types?.length === 0 ? NOTHING : await desk.store.eventPage(query)
    const payloads = await desk.payloadsOf(page.items)
    return new Response(eventList(payloads, page.next), { headers: { 'Content-Type': 'application/json' } })
  })
  routes.openapi(EVENT, async (c) => {
    const { id: asked } = c.req.valid('param')
    const { store, storyOf } = desks.deskOf(c.get('asker'))
    const trace = await eventTrace(store, asked)
    if (trace === null)
      throw new ShipbellError('not_found', `There is no event ${JSON.stringify(asked)}${await droppedWords(store)}.`)
    return c.json(await storyOf(trace), 200)
  })
  routes.openapi(DELIVERIES, async (c) => {
    const { subscription, state, event, account, since, limit = DEFAULT_LIMIT, cursor } = c.req.valid('query')
    const page = await desks.deskOf(c.get('asker')).store.deliveryPage({
      limit,
      ...(cursor !== undefined && { cursor }),
      ...(subscription !== undefined && { subscription }),
      ...(state !== undefined && { states: [...new Set(state)] }),
      ...(event !== undefined && { eventId: event }),
      ...(account !== undefined && { account }),
      ...(since !== undefined && { since: at(since) }),
    })
    return c.json({ items: page.items.map(deliveryJson), next: page.next }, 200)
  })
  routes.openapi(DELIVERY, async (c) => {
    const { id: asked } = c.req.valid('param')
    const { store } = desks.deskOf(c.get('asker'))
    const found = (await store.deliveries([asked]))[0] ?? null
    if (found === null) throw new ShipbellError('not_found', `There is no delivery ${JSON.stringify(asked)}.`)
    return c.json(tracedDeliveryJson({ delivery: found, attempts: await store.attempts(found.id) }), 200)
  })
  return routes
}

const NOTHING: Page<never> = { items: [], next: null }

/** The answer is put together from the text of records as it is stored: they are most of it, and not parsed. */
function eventList(payloads: readonly Uint8Array[], next: string | null): Buffer<ArrayBuffer> {
  const parts = payloads.flatMap((payload, at) => (at === 0 ? [payload] : [COMMA, payload]))
  return Buffer.concat([Buffer.from('{"items":['), ...parts, Buffer.from(`],"next":${JSON.stringify(next)}}`)])
}

const COMMA = Buffer.from(',')
