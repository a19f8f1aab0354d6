import { Hono } from 'hono'
import type { AdminContext } from '../../admin-context.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { showPage, viewOf } from '../show-page.ts'
import { overviewPage } from './overview-page.ts'

export function overviewRoutes(desk: AdminContext): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/', async (c) => showPage(c, desk, await overviewPage(viewOf(c, desk))))
  return routes
}
