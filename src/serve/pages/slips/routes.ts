import { Hono } from 'hono'
import type { AdminContext } from '../../admin-context.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { showPage, viewOf } from '../show-page.ts'
import { slipsPage } from './slips-page.ts'

export function slipRoutes(desk: AdminContext): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/slips', async (c) => showPage(c, desk, await slipsPage(viewOf(c, desk))))
  return routes
}
