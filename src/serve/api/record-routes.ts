import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { ShipbellError } from '../../errors.ts'
import { DUE_CHOICES, readDueChoice } from '../../model/due-choice.ts'
import { readPointInTime } from '../../model/point-in-time.ts'
import { recordDetailJson, recordJson, slipJson } from '../../report/record.ts'
import type { Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { dueAt } from '../due-at.ts'
import { answer, LIST_PROBLEMS, ONE_PROBLEMS } from './answers.ts'
import { checked } from './checked.ts'
import { RECORD_RESOURCES } from '../../model/resource.ts'
import { DEFAULT_LIMIT, accountName, id, listOf, paging, shown, text, time } from './parts.ts'
import { record, recordDetail, slip } from './record-shapes.ts'

const resource = z.enum(RECORD_RESOURCES)

const due = text
  .transform(readDueChoice)
  .refine((choice) => choice !== null, `must be ${DUE_CHOICES}`)
  .openapi({
    type: 'string',
    description:
      'Invoices that have yet to be paid, the one that falls due first at the top: `overdue`, `any`, or those of the next days, `7d`.',
  })

const RECORDS = createRoute({
  method: 'get',
  path: '/records/{resource}',
  summary: 'Records, the one with the newest event first; with `q` those found by an exact text first',
  request: {
    params: z.object({ resource }),
    query: z.object({
      ...paging,
      account: accountName.optional(),
      q: text.max(200).optional().openapi({
        description: 'Words that are all to be found, as `/search` finds them.',
      }),
      status: text.min(1).max(100).optional(),
      due: due.optional(),
    }),
  },
  responses: { 200: answer('Records.', listOf(record)), ...LIST_PROBLEMS },
})
const RECORD = createRoute({
  method: 'get',
  path: '/records/{resource}/{account}/{id}',
  summary: 'One record as it is now, and the values that its dates had',
  request: { params: z.object({ resource, account: accountName, id }) },
  responses: { 200: answer('The record.', shown(recordDetail)), ...ONE_PROBLEMS },
})
const SLIPS = createRoute({
  method: 'get',
  path: '/slips',
  summary: 'Dates of shipments that moved, the largest drift first, later or earlier',
  request: {
    query: z.object({
      ...paging,
      since: time.optional().openapi({ description: 'Moved since: a date-time, a date, or a duration ago; 7d.' }),
      account: accountName.optional(),
    }),
  },
  responses: { 200: answer('Dates.', listOf(slip)), ...LIST_PROBLEMS },
})

const LATELY = '7d'

/** What the platform holds, as it was read last. */
export function recordRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const { clock } = desks
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  routes.openapi(RECORDS, async (c) => {
    const { account, cursor, limit = DEFAULT_LIMIT, q = '', status, due: choice = null } = c.req.valid('query')
    const desk = desks.deskOf(c.get('asker'))
    const page = await desk.store.recordPage({
      ...c.req.valid('param'),
      limit,
      ...(cursor !== undefined && { cursor }),
      ...(account !== undefined && { account }),
      ...(q.trim() !== '' && { q }),
      ...(status !== undefined && { status }),
      ...(choice !== null && { due: dueAt(choice, desk) }),
    })
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
