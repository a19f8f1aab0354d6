import { Hono } from 'hono'
import type { RecordResource } from '../../../model/resource.ts'
import type { AdminContext } from '../../admin-context.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { showNothing, showPage, viewOf } from '../show-page.ts'
import { recordListPage } from './record-list-page.ts'
import { recordPage } from './record-page.ts'
import { isRecordResource } from './resource-names.ts'

export function recordRoutes(desk: AdminContext): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/records/:resource', async (c) => {
    const resource = resourceOf(c.req.param('resource'))
    if (resource === null) return showNothing(c, desk, NO_RESOURCE)
    return showPage(c, desk, await recordListPage(resource, viewOf(c, desk)))
  })
  routes.get('/records/:resource/:account/:id', async (c) => {
    const { account, id, resource: name } = c.req.param()
    const resource = resourceOf(name)
    if (resource === null) return showNothing(c, desk, NO_RESOURCE)
    const page = await recordPage({ account, resource, id }, viewOf(c, desk))
    return page === null ? showNothing(c, desk, NO_RECORD) : showPage(c, desk, page)
  })
  return routes
}

const NO_RESOURCE = 'There is no such kind of record: the navigation leads to those that there are.'
const NO_RECORD = 'No such record was ever read. Its list finds it by what you know of it.'

function resourceOf(name: string): RecordResource | null {
  return isRecordResource(name) ? name : null
}
