import { Hono } from 'hono'
import type { AdminEnv } from '../../admin-env.ts'
import type { Desks } from '../../scope/desks.ts'
import { showPage, viewOf } from '../show-page.ts'
import { systemPage } from './system-page.ts'

export function systemRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/system', async (c) => showPage(c, desks, await systemPage(viewOf(c, desks))))
  return routes
}
