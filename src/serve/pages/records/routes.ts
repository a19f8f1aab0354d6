import { Hono, type Context } from 'hono'
import { isRecordResource, RESOURCES, type RecordResource } from '../../../model/resource.ts'
import type { Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { say } from '../languages/say.ts'
import { showAbsence, showFiltered, showNothing, showPage, viewOf } from '../show-page.ts'
import { recordListPage } from './record-list-page.ts'
import { recordPage } from './record-page.ts'

export function recordRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/records/:resource', async (c) => {
    const resource = resourceOf(c.req.param('resource'))
    if (resource === null) return showNothing(c, desks, NO_RESOURCE)
    return showFiltered(c, desks, async (view) => await recordListPage(resource, view))
  })
  const showRecord = async (c: Context<AdminEnv>, of: Named): Promise<Response> => {
    const resource = resourceOf(of.resource)
    if (resource === null) return await showNothing(c, desks, NO_RESOURCE)
    const page = await recordPage({ ...of, resource }, viewOf(c, desks))
    const onward = { path: `/records/${resource}`, label: say(RESOURCES[resource].labels.many) }
    return page === null ? await showAbsence(c, desks, { detail: NO_RECORD, onward }) : await showPage(c, desks, page)
  }
  // An id that no path can hold (`recordPath`) stands in the query.
  routes.get('/records/:resource/:account/', async (c) =>
    showRecord(c, { ...c.req.param(), id: c.req.query('id') ?? '' }),
  )
  routes.get('/records/:resource/:account/:id', async (c) => showRecord(c, c.req.param()))
  return routes
}

interface Named {
  readonly resource: string
  readonly account: string
  readonly id: string
}

const NO_RESOURCE = 'There is no such kind of record: the navigation leads to those that there are.'
const NO_RECORD = 'No such record was ever read. Its list finds it by what you know of it.'

function resourceOf(name: string): RecordResource | null {
  return isRecordResource(name) ? name : null
}
