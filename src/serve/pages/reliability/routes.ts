import { Hono } from 'hono'
import type { AdminEnv } from '../../admin-env.ts'
import type { Desks } from '../../scope/desks.ts'
import { reliabilityCsv } from '../../lists/reliability-csv.ts'
import { showFiltered, viewOf } from '../show-page.ts'
import { reliabilityOf, reliabilityPage } from './reliability-page.ts'

export function reliabilityRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/reliability', async (c) =>
    c.req.query('format') === 'csv'
      ? reliabilityCsv(await reliabilityOf(viewOf(c, desks)))
      : showFiltered(c, desks, reliabilityPage),
  )
  return routes
}
