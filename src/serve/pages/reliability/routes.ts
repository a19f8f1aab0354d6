import { Hono } from 'hono'
import type { AdminEnv } from '../../admin-env.ts'
import type { Desks } from '../../scope/desks.ts'
import { showPage, viewOf } from '../show-page.ts'
import { reliabilityPage } from './reliability-page.ts'

export function reliabilityRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/reliability', async (c) => showPage(c, desks, await reliabilityPage(viewOf(c, desks))))
  return routes
}
