import { Hono } from 'hono'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { overviewRoutes } from './overview/routes.ts'
import { recordRoutes } from './records/routes.ts'
import { showNothing, showProblem } from './show-page.ts'
import { slipRoutes } from './slips/routes.ts'

/** Pages for people. What is no page is a page too for a browser. */
export function pageRoutes(desk: AdminContext): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.onError(async (error, c) => showProblem(error, c, desk))
  routes.route('/', overviewRoutes(desk))
  routes.route('/', recordRoutes(desk))
  routes.route('/', slipRoutes(desk))
  routes.get('*', async (c) =>
    c.req.header('accept')?.includes('text/html') === true
      ? showNothing(c, desk, 'There is no such page: the navigation leads to those that there are.')
      : c.notFound(),
  )
  return routes
}
