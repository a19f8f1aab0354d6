import { Hono } from 'hono'
import type { AdminEnv } from '../../admin-env.ts'
import type { Desks } from '../../scope/desks.ts'
import { showFiltered } from '../show-page.ts'
import { reliabilityPage } from './reliability-page.ts'

export function reliabilityRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/reliability', async (c) => showFiltered(c, desks, reliabilityPage))
  return routes
}
