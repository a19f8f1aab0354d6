import { Hono } from 'hono'
import type { Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { showPage, viewOf } from '../show-page.ts'
import { overviewPage } from './overview-page.ts'

export function overviewRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/', async (c) =>
    c.get('asker').scope.kind === 'all'
      ? showPage(c, desks, await overviewPage(viewOf(c, desks)))
      : c.redirect('/records/shipment', 303),
  )
  routes.get('/system', async (c) => showPage(c, desks, await overviewPage(viewOf(c, desks))))
  return routes
}
