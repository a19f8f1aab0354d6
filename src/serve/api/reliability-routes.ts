import { createRoute, OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import { COUNTED_MS, type Reliability } from '../../model/reliability.ts'
import { readLaneKey } from '../../model/lane.ts'
import { reliabilityJson, sortedReliability } from '../../report/reliability.ts'
import type { AdminEnv } from '../admin-env.ts'
import { reliabilityCsv } from '../lists/reliability-csv.ts'
import type { Desks } from '../scope/desks.ts'
import { READ_PROBLEMS } from './answers.ts'
import { checked } from './checked.ts'
import { sliced } from './list-slice.ts'
import { accountName, listOf, paging, text, whole } from './parts.ts'

const share = z.number().min(0).max(1)

const reliability = z
  .looseObject({
    key: text.openapi({ description: 'A carrier as records name it, or a lane: `CNSHA-NLRTM`.' }),
    n: whole.openapi({ description: 'Arrivals of the last 180 days of which a date was told before.' }),
    within_day_of_first: share.openapi({ description: 'How many came within 24 hours of the date told first.' }),
    within_day_of_last: share.openapi({ description: 'How many came within 24 hours of the date told last.' }),
    median_drift_minutes: z.number().openapi({ description: 'Actual − first told; negative: earlier.' }),
  })
  .openapi('Reliability')

const lane = text
  .refine((value) => readLaneKey(value) !== null, 'must be two UN/LOCODEs, such as CNSHA-NLRTM')
  .transform((value) => readLaneKey(value) ?? value)
  .openapi({ type: 'string', description: 'Only arrivals on this lane.', example: 'CNSHA-NLRTM' })

/** Tables are made by hand: the compiler does not hold the answer to the schema. */
const ANSWER: RouteConfig['responses'][string] = {
  description: 'Carriers or lanes.',
  content: { 'application/json': { schema: listOf(reliability) }, 'text/csv': { schema: text } },
}

const RELIABILITY = createRoute({
  method: 'get',
  path: '/reliability',
  operationId: 'listReliability',
  summary: 'How well the dates of arrivals were kept, by carrier or by lane, the most arrivals first',
  request: {
    query: z.object({
      ...paging,
      by: z.enum(['carrier', 'lane']).optional().openapi({ description: '`carrier` (default) or `lane`.' }),
      account: accountName.optional(),
      carrier: text.min(1).max(300).optional().openapi({ description: 'Only arrivals by this carrier.' }),
      lane: lane.optional(),
      format: z.enum(['json', 'csv']).optional().openapi({
        description: '`csv`: all of them as a table (RFC 4180), whatever `limit` and `cursor`.',
      }),
    }),
  },
  responses: { 200: ANSWER, ...READ_PROBLEMS },
})

export function reliabilityRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  routes.openapi(RELIABILITY, async (c) => {
    const { account, by = 'carrier', carrier, cursor, format, lane: asked, limit } = c.req.valid('query')
    const found = await desks.deskOf(c.get('asker')).store.reliability({
      by,
      since: desks.clock.now() - COUNTED_MS,
      ...(account !== undefined && { account }),
      ...(carrier !== undefined && { carrier }),
      ...(asked !== undefined && { lane: asked }),
    })
    if (format === 'csv') return reliabilityCsv(sortedReliability(found, '-n'))
    const page = sliced(found, { list: `reliability ${by}`, limit, cursor, keyOf })
    return c.json({ items: page.items.map(reliabilityJson), next: page.next }, 200)
  })
  return routes
}

const DIGITS = 10

/** The most arrivals first. */
function keyOf({ key, n }: Reliability): string {
  return `${String(10 ** DIGITS - n).padStart(DIGITS + 1, '0')} ${key}`
}
