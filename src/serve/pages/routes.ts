import { Hono } from 'hono'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { overviewRoutes } from './overview/routes.ts'
import { recordRoutes } from './records/routes.ts'
import { showNothing, showProblem } from './show-page.ts'
import { slipRoutes } from './slips/routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { Notices } from './notices.ts'
import { planRoutes } from './plan/routes.ts'
import { subscribeRoutes } from './subscriptions/subscribe-routes.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { Jobs } from '../jobs.ts'
import { readElsewhere } from '../page-reader.ts'

/** Pages for people. What is no page is a page too for a browser. */
export function pageRoutes(desk: AdminContext): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const parts = { jobs: new Jobs(desk), notices: new Notices() }
  routes.use(parts.notices.middleware())
  routes.use(readElsewhere(desk.reader, (path) => path.startsWith('/jobs/')))
  routes.onError(async (error, c) => showProblem(error, c, desk))
  routes.route('/', overviewRoutes(desk))
  routes.route('/', recordRoutes(desk))
  routes.route('/', slipRoutes(desk))
  routes.route('/', eventRoutes(desk))
  routes.route('/', deliveryRoutes(desk, parts))
  routes.route('/', jobRoutes(desk, parts.jobs))
  routes.route('/', subscribeRoutes(desk, parts))
  routes.route('/', subscriptionRoutes(desk, parts))
  routes.route('/', accountRoutes(desk, parts))
  routes.route('/', planRoutes(desk))
  routes.get('*', async (c) =>
    c.req.header('accept')?.includes('text/html') === true
      ? showNothing(c, desk, 'There is no such page: the navigation leads to those that there are.')
      : c.notFound(),
  )
  return routes
}
