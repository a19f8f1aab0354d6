import type { Context } from 'hono'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { ShipbellError } from '../../errors.ts'
import { EXCEPTION_STATES, LONGEST_NOTE } from '../../model/exception.ts'
import { SEVERITIES } from '../../model/severity.ts'
import { readPointAhead } from '../../model/point-in-time.ts'
import { MILESTONES } from '../../model/shipment.ts'
import { exceptionJson } from '../../report/exception.ts'
import { actsAs } from '../admin-context.ts'
import type { Desk, Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { ACT_PROBLEMS, answer, READ_PROBLEMS } from './answers.ts'
import { checked, malformed } from './checked.ts'
import { SUBJECTS } from './log-shapes.ts'
import {
  accountName,
  DEFAULT_LIMIT,
  eventType,
  id,
  instant,
  instantOrNull,
  listOf,
  oneOrMore,
  paging,
  shown,
  text,
  textOrNull,
} from './parts.ts'
import { BODY_PROBLEMS, limitedBody, notJson, parsed } from './request-body.ts'

const exception = z
  .looseObject({
    id: text,
    account: text,
    type: text.openapi({ description: 'The type of the event that opens it.' }),
    subject: z.object({ resource: z.enum(SUBJECTS), id: text }),
    milestone: z.enum(MILESTONES).nullable(),
    expectation: textOrNull,
    severity: z.enum(SEVERITIES),
    state: z.enum(EXCEPTION_STATES),
    opened_at: instant,
    event_id: textOrNull.openapi({
      description: 'The event that opened it; null: it was open already when it was learnt.',
    }),
    acknowledged: z.object({ by: text, at: instant, note: textOrNull, until: instantOrNull }).nullable(),
    closed_at: instantOrNull,
    closed_by: textOrNull.openapi({ description: 'An event, or why: removed, cancelled, finished, unwatched.' }),
  })
  .openapi('Exception')

const EXCEPTIONS = createRoute({
  method: 'get',
  path: '/exceptions',
  operationId: 'listExceptions',
  summary: 'What is not well, the newest first',
  request: {
    query: z.object({
      ...paging,
      account: accountName.optional(),
      type: eventType.optional().openapi({ description: 'The type of the event that opens it.' }),
      state: oneOrMore(z.enum(EXCEPTION_STATES), EXCEPTION_STATES).openapi({
        description: 'May be given several times.',
      }),
      subject: id.optional().openapi({ description: 'The id of a shipment, an invoice …' }),
    }),
  },
  responses: { 200: answer('Exceptions.', listOf(exception)), ...READ_PROBLEMS },
})
const EXCEPTION = createRoute({
  method: 'get',
  path: '/exceptions/{id}',
  operationId: 'getException',
  summary: 'One exception',
  request: { params: z.object({ id }) },
  responses: { 200: answer('The exception.', shown(exception)), ...READ_PROBLEMS },
})

const UNTIL = 'must be an ISO date-time, a date, or a duration from now, such as 2026-12-01T08:00:00Z, 2026-12-01 or 2d'
const acknowledgement = z.object({
  note: z.string().max(LONGEST_NOTE).nullish().openapi({ description: 'What is done about it.' }),
  until: z.string().nullish().openapi({
    description: 'Until when it is acknowledged: an instant, or a duration from now. Left out: until it closes.',
  }),
})

const ACKNOWLEDGE = createRoute({
  method: 'post',
  path: '/exceptions/{id}/acknowledge',
  operationId: 'acknowledgeException',
  summary: 'Say that somebody sees to it: it is not reminded of',
  request: {
    params: z.object({ id }),
    body: { required: false, content: { 'application/json': { schema: acknowledgement } } },
  },
  responses: { 200: answer('The exception as it is now.', shown(exception)), ...ACT_PROBLEMS, ...BODY_PROBLEMS },
})
const REOPEN = createRoute({
  method: 'post',
  path: '/exceptions/{id}/reopen',
  operationId: 'reopenException',
  summary: 'Take an acknowledgement back',
  request: { params: z.object({ id }) },
  responses: { 200: answer('The exception as it is now.', shown(exception)), ...ACT_PROBLEMS },
})

/** What is not well, and what is said of it. */
export function exceptionRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const { clock } = desks
  const deskFor = (c: Context<AdminEnv>): Desk => desks.deskOf(c.get('asker'))
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  routes.openapi(EXCEPTIONS, async (c) => {
    const { account, cursor, limit = DEFAULT_LIMIT, state, subject, type } = c.req.valid('query')
    const now = clock.now()
    const page = await deskFor(c).store.exceptionPage({
      now,
      limit,
      ...(cursor !== undefined && { cursor }),
      ...(account !== undefined && { account }),
      ...(type !== undefined && { type }),
      ...(state !== undefined && { states: state }),
      ...(subject !== undefined && { subjectId: subject }),
    })
    return c.json({ items: page.items.map((each) => exceptionJson(each, now)), next: page.next }, 200)
  })
  routes.openapi(EXCEPTION, async (c) => {
    const { id: asked } = c.req.valid('param')
    const now = clock.now()
    const { items } = await deskFor(c).store.exceptionPage({ now, limit: 2, named: asked })
    const found = items.find((each) => each.id === asked)
    if (found === undefined) throw new ShipbellError('not_found', `There is no exception ${JSON.stringify(asked)}.`)
    return c.json(exceptionJson(found, now), 200)
  })
  // The body may be left out, and is read as JSON whatever it is called.
  routes.openAPIRegistry.registerPath(ACKNOWLEDGE)
  routes.post('/exceptions/:id/acknowledge', limitedBody, async (c) => {
    const body = await c.req.text()
    const value = body.trim() === '' ? {} : parsed(body)
    if (value === undefined) return notJson()
    const { data, error } = acknowledgement.safeParse(value)
    if (data === undefined) return malformed('body', error.issues)
    const asker = c.get('asker')
    const now = clock.now()
    const until = data.until == null ? null : readPointAhead(data.until, now)
    if (data.until != null && (until === null || until <= now)) {
      const message = until === null ? UNTIL : 'is past'
      return malformed('body', [{ code: 'custom', path: ['until'], message }])
    }
    const said = { by: actsAs(asker), note: data.note ?? null, until }
    const found = await deskFor(c).actionsOf(asker).acknowledge(c.req.param('id'), said)
    return c.json(exceptionJson(found, now), 200)
  })
  routes.openapi(REOPEN, async (c) => {
    const found = await deskFor(c).actionsOf(c.get('asker')).acknowledge(c.req.valid('param').id, null)
    return c.json(exceptionJson(found, clock.now()), 200)
  })
  return routes
}
