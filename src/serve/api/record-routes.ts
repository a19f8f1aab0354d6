import { createRoute, OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import { ShipbellError } from '../../errors.ts'
import { readPointInTime } from '../../model/point-in-time.ts'
import { recordDetailJson, recordJson, slipJson } from '../../report/record.ts'
import type { Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { listProblem, parameterOf, readList, zoneProblems } from '../lists/list-query.ts'
import { answer, READ_PROBLEMS } from './answers.ts'
import { checked } from './checked.ts'
import { RECORD_RESOURCES } from '../../model/resource.ts'
import { DEFAULT_LIMIT, accountName, id, listOf, paging, shown, text, time } from './parts.ts'
import { record, recordDetail, slip } from './record-shapes.ts'

const resource = z.enum(RECORD_RESOURCES)

const due = text.optional().openapi({
  description:
    'Invoices that have yet to be paid, the one that falls due first at the top: `overdue`, `any`, or those of the next days, `7d`.',
})

/** Which of these a resource has no use for is refused by name. */
const LIST = {
  q: text.max(200).optional().openapi({
    description: 'Words that are all to be found, as `/search` finds them.',
  }),
  status: text.max(100).optional(),
  due,
  sort: text.max(20).optional().openapi({
    description:
      '`eta`, `drift` (of shipments and orders), `name` or `last_event`, `-` before it for the other way; what has no value comes last. Left out: the newest event first, or what an exact text finds.',
  }),
  carrier: text.max(300).optional().openapi({ description: 'Shipments of this carrier, in letters of either case.' }),
  lane: text
    .max(40)
    .optional()
    .openapi({ description: 'Shipments from port to port, by UN/LOCODE.', example: 'CNSHA-FRFOS' }),
  mode: text.max(40).optional().openapi({ description: 'Shipments by `air`, `ocean`, `rail` or `truck`.' }),
  arrives_after: text.max(10).optional().openapi({
    format: 'date',
    description:
      'Shipments that arrive, or orders that are expected to be delivered, on this day or later, in the zone of `tz`.',
  }),
  arrives_before: text.max(10).optional().openapi({ format: 'date', description: 'Likewise: on this day or earlier.' }),
  open: text.max(5).optional().openapi({
    description: '`true`: neither finished, cancelled, settled, delivered nor gone; of shipments, invoices and orders.',
  }),
  tz: text.max(100).optional().openapi({
    description:
      'The IANA zone of days and of instants in CSV; left out: that of the accounts, where they agree, else UTC.',
  }),
  format: z.enum(['json', 'csv']).optional().openapi({
    description: '`csv`: all that match as a table (RFC 4180), streamed, whatever `limit` and `cursor`.',
  }),
}

/** Refusals of a parameter are made by hand: the compiler does not hold the answer to the schema. */
const RECORDS_ANSWER: RouteConfig['responses'][string] = {
  description: 'Records.',
  content: { 'application/json': { schema: listOf(record) }, 'text/csv': { schema: z.string() } },
}

const RECORDS = createRoute({
  method: 'get',
  path: '/records/{resource}',
  operationId: 'listRecords',
  summary:
    'Records, sorted and narrowed; the one with the newest event first, with `q` those found by an exact text first',
  request: {
    params: z.object({ resource }),
    query: z.object({
      ...paging,
      account: accountName.optional(),
      ...LIST,
    }),
  },
  responses: { 200: RECORDS_ANSWER, ...READ_PROBLEMS },
})
const RECORD = createRoute({
  method: 'get',
  path: '/records/{resource}/{account}/{id}',
  operationId: 'getRecord',
  summary: 'One record as it is now, and the values that its dates had',
  request: { params: z.object({ resource, account: accountName, id }) },
  responses: { 200: answer('The record.', shown(recordDetail)), ...READ_PROBLEMS },
})
const SLIPS = createRoute({
  method: 'get',
  path: '/slips',
  operationId: 'listSlips',
  summary: 'Dates of shipments that moved, the largest drift first, later or earlier',
  request: {
    query: z.object({
      ...paging,
      since: time.optional().openapi({ description: 'Moved since: a date-time, a date, or a duration ago; 7d.' }),
      account: accountName.optional(),
    }),
  },
  responses: { 200: answer('Dates.', listOf(slip)), ...READ_PROBLEMS },
})

const LATELY = '7d'

/** What the platform holds, as it was read last. */
export function recordRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const { clock } = desks
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  routes.openapi(RECORDS, async (c) => {
    const { cursor, limit = DEFAULT_LIMIT } = c.req.valid('query')
    const desk = desks.deskOf(c.get('asker'))
    const { problems, query } = readList(c.req.valid('param').resource, parameterOf(c), desk)
    const wrong = [...zoneProblems(), ...problems]
    if (wrong.length > 0) return listProblem(wrong)
    const page = await desk.store.recordPage({ ...query, limit, ...(cursor !== undefined && { cursor }) })
    return c.json({ items: page.items.map(recordJson), next: page.next }, 200)
  })
  routes.openapi(RECORD, async (c) => {
    const key = c.req.valid('param')
    const found = await desks.deskOf(c.get('asker')).store.recordDetail(key)
    if (found !== null) return c.json(recordDetailJson(found), 200)
    const { account, id: asked, resource: kind } = key
    throw new ShipbellError('not_found', `There is no ${kind} ${JSON.stringify(asked)} of account ${account}.`)
  })
  routes.openapi(SLIPS, async (c) => {
    const { account, cursor, limit = DEFAULT_LIMIT, since = LATELY } = c.req.valid('query')
    const page = await desks.deskOf(c.get('asker')).store.slips({
      since: readPointInTime(since, clock.now()) ?? 0,
      limit,
      ...(cursor !== undefined && { cursor }),
      ...(account !== undefined && { account }),
    })
    return c.json({ items: page.items.map(slipJson), next: page.next }, 200)
  })
  return routes
}
