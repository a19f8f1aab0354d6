import { Hono } from 'hono'
import type { Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { showPage, viewOf } from '../show-page.ts'
import { slipsPage } from './slips-page.ts'

export function slipRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/slips', async (c) => showPage(c, desks, await slipsPage(viewOf(c, desks))))
  return routes
}
