import { Hono } from 'hono'
import type { Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { exceptionPageRoutes } from './exceptions/routes.ts'
import { recordRoutes } from './records/routes.ts'
import { showNothing, showProblem } from './show-page.ts'
import { reliabilityRoutes } from './reliability/routes.ts'
import { searchPageRoutes } from './search/routes.ts'
import { slipRoutes } from './slips/routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { Notices } from './notices.ts'
import { planRoutes } from './plan/routes.ts'
import { subscribeRoutes } from './subscriptions/subscribe-routes.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { systemRoutes } from './system/routes.ts'
import { todayRoutes } from './today/routes.ts'
import { Jobs } from '../jobs.ts'
import { csvRoutes } from '../lists/csv-routes.ts'
import { readElsewhere } from '../page-reader.ts'

/** Pages for people. What is no page is a page too for a browser. */
export function pageRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const parts = { jobs: new Jobs(desks), notices: new Notices() }
  routes.use(parts.notices.middleware())
  routes.use('/records/*', csvRoutes(desks))
  routes.use(readElsewhere(desks.reader, (path) => path.startsWith('/jobs/')))
  routes.onError(async (error, c) => showProblem(error, c, desks))
  routes.route('/', todayRoutes(desks))
  routes.route('/', exceptionPageRoutes(desks, parts))
  routes.route('/', systemRoutes(desks))
  routes.route('/', recordRoutes(desks))
  routes.route('/', searchPageRoutes(desks))
  routes.route('/', slipRoutes(desks))
  routes.route('/', reliabilityRoutes(desks))
  routes.route('/', eventRoutes(desks))
  routes.route('/', deliveryRoutes(desks, parts))
  routes.route('/', jobRoutes(desks, parts.jobs))
  routes.route('/', subscribeRoutes(desks, parts))
  routes.route('/', subscriptionRoutes(desks, parts))
  routes.route('/', accountRoutes(desks, parts))
  routes.route('/', planRoutes(desks))
  routes.get('*', async (c) =>
    c.req.header('accept')?.includes('text/html') === true
      ? showNothing(c, desks, 'There is no such page: the navigation leads to those that there are.')
      : c.notFound(),
  )
  return routes
}
