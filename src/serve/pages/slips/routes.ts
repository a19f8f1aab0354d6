import { Hono } from 'hono'
import type { Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { showFiltered } from '../show-page.ts'
import { slipsPage } from './slips-page.ts'

export function slipRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/slips', async (c) => showFiltered(c, desks, slipsPage))
  return routes
}
