import { Hono, type MiddlewareHandler } from 'hono'
import { type Access, accessOf } from './access/access.ts'
import { securityHeaders } from './access/security-headers.ts'
import { linkRoutes } from './access/link-routes.ts'
import { sessionRoutes } from './access/session-routes.ts'
import type { AdminContext } from './admin-context.ts'
import type { AdminEnv } from './admin-env.ts'
import { apiRoutes } from './api/routes.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { desksOf } from './scope/desks.ts'
import { gate } from './scope/gate.ts'
import { LiveStreams } from './stream/live-streams.ts'
import { assetRoutes } from './asset-routes.ts'
import { healthRoutes, sayingProblems } from './health-app.ts'
import { problemsAsPages } from './pages/problems-as-pages.ts'
import { pageRoutes } from './pages/routes.ts'
import { pressRoutes } from './pressed/press-routes.ts'
import { visiting } from './pages/today/last-visit.ts'
import { keepingChoices, viewing } from './viewing.ts'

/** The admin interface (guarantees A1 and A2). */
export function createAdminApp(context: AdminContext, access: Access = accessOf(context)): Hono<AdminEnv> {
  const app = new Hono<AdminEnv>()
  const { control, guard, wrong } = access
  const desks = desksOf(context)
  const streams = new LiveStreams(context)
  app.use(securityHeaders())
  app.use(sayingTime(context))
  app.use(keepingChoices(desks))
  app.use(viewing(desks))
  app.use(problemsAsPages(desks))
  app.use(guard)
  app.use(visiting(desks))
  app.route('/', gate(desks))
  app.route('/', healthRoutes(context))
  app.route('/', sessionRoutes(context, control, wrong))
  app.route('/', linkRoutes(context, control))
  app.route('/', pressRoutes(context))
  app.route('/assets', assetRoutes())
  app.route('/', apiRoutes(desks, { streams, subscriptions: context.subscriptions }))
  app.route('/', metricsRoutes(context))
  app.route('/', mcpRoutes(desks))
  app.route('/', pageRoutes(desks))
  return sayingProblems(app, context)
}

/** Has pages say that time is simulated, where it is. */
function sayingTime({ demo }: AdminContext): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    if (demo !== null) c.set('simulatedAt', demo.simulatedNow())
    await next()
  }
}

function metricsRoutes({ metrics }: AdminContext): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  if (metrics === null) return routes
  routes.get('/metrics', async (c) => {
    const { contentType, text } = await metrics()
    return c.body(text, 200, { 'Content-Type': contentType })
  })
  return routes
}
