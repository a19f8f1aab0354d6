import { Hono, type MiddlewareHandler } from 'hono'
import { AccessControl } from './access/access-control.ts'
import { guardAccess } from './access/guard-access.ts'
import { securityHeaders } from './access/security-headers.ts'
import { linkRoutes } from './access/link-routes.ts'
import type { Session } from './access/session.ts'
import { sessionRoutes } from './access/session-routes.ts'
import { WrongTokens } from './access/wrong-tokens.ts'
import type { AdminContext } from './admin-context.ts'
import type { AdminEnv } from './admin-env.ts'
import { apiRoutes } from './api/routes.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { desksOf } from './scope/desks.ts'
import { gate } from './scope/gate.ts'
import { LiveStreams } from './stream/live-streams.ts'
import { assetRoutes } from './asset-routes.ts'
import { problemsAsPages } from './pages/problems-as-pages.ts'
import { pageRoutes } from './pages/routes.ts'
import { pressRoutes } from './pressed/press-routes.ts'
import { problemOf, problemResponse } from './problem.ts'
import { visiting } from './pages/today/last-visit.ts'
import { keepingChoices, viewing } from './viewing.ts'

/** The admin interface (guarantees A1 and A2). `ended`: sessions that were signed out before it was made. */
export function createAdminApp(context: AdminContext, ended: readonly Session[] = []): Hono<AdminEnv> {
  const app = new Hono<AdminEnv>()
  const control = new AccessControl(context, ended)
  const wrong = new WrongTokens(context)
  const desks = desksOf(context)
  const streams = new LiveStreams(context)
  app.use(securityHeaders())
  app.use(sayingTime(context))
  app.use(keepingChoices(desks))
  app.use(viewing(desks))
  app.use(problemsAsPages(desks))
  app.use(guardAccess(context, control, wrong))
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
  app.notFound(({ req }) => problemResponse({ status: 404, detail: `There is nothing at ${req.path}.` }))
  app.onError((error, { req }) => {
    const problem = problemOf(error)
    if (problem.status >= 500) context.log.error({ path: req.path, error: String(error) }, 'admin.failed')
    return problemResponse(problem)
  })
  return app
}

/** Has pages say that time is simulated, where it is. */
function sayingTime({ demo }: AdminContext): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    if (demo !== null) c.set('simulatedAt', demo.simulatedNow())
    await next()
  }
}

/** Everyone learns the status, and who sees the whole what it is made of. */
function healthRoutes(context: AdminContext): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/healthz', (c) => c.json({ status: 'ok' }))
  routes.get('/readyz', async (c) => {
    const readiness = await context.readiness()
    const status = readiness.ready ? 'ready' : 'not_ready'
    const isWhole = c.get('asker')?.scope.kind === 'all'
    const body = isWhole ? { status, ...readiness } : { status }
    return c.json(body, readiness.ready ? 200 : 503)
  })
  return routes
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
