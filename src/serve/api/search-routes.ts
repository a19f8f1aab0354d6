import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { RECORD_RESOURCES } from '../../model/resource.ts'
import { foundJson, matchedRecords } from '../../report/search.ts'
import type { AdminEnv } from '../admin-env.ts'
import type { Desks } from '../scope/desks.ts'
import { answer, READ_PROBLEMS } from './answers.ts'
import { checked } from './checked.ts'
import { DEFAULT_LIMIT, accountName, listOf, paging, text, textOrNull } from './parts.ts'

const found = z
  .object({
    account: text,
    resource: z.enum(RECORD_RESOURCES),
    id: text,
    name: textOrNull,
    matched: z
      .array(z.object({ field: text, text }))
      .openapi({ description: 'The texts of the record by which it is found: what each is, and how it is written.' }),
  })
  .openapi('FoundRecord')

const SEARCH = createRoute({
  method: 'get',
  path: '/search',
  operationId: 'search',
  summary:
    'Records of every kind that a text finds: those whose id it is first, then those that have what it is or begins',
  request: {
    query: z.object({
      ...paging,
      account: accountName.optional(),
      q: text.openapi({
        description:
          'Words that are all to be found: parts, of three characters and more, of ids, names, orders, containers, bills, references, carriers, vessels and ports; shorter ones where one of these begins.',
        example: 'shanghai maersk',
      }),
    }),
  },
  responses: { 200: answer('Records.', listOf(found)), ...READ_PROBLEMS },
})

export function searchRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  routes.openapi(SEARCH, async (c) => {
    const { account, cursor, limit = DEFAULT_LIMIT, q } = c.req.valid('query')
    const { store } = desks.deskOf(c.get('asker'))
    const page = await store.recordPage({
      q,
      limit,
      ...(cursor !== undefined && { cursor }),
      ...(account !== undefined && { account }),
    })
    const items = await matchedRecords(store, page.items, q)
    return c.json({ items: items.map(foundJson), next: page.next }, 200)
  })
  return routes
}
