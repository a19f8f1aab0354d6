import { Hono } from 'hono'
import type { Access } from './access/access.ts'
import { securityHeaders } from './access/security-headers.ts'
import type { AdminContext } from './admin-context.ts'
import type { AdminEnv } from './admin-env.ts'
import { problemOf, problemResponse } from './problem.ts'

/** The part of the admin interface that says how the process is. It needs little, so it answers before the rest is loaded. */
export function createHealthApp(
  context: Pick<AdminContext, 'log' | 'readiness'>,
  { guard }: Pick<Access, 'guard'>,
): Hono<AdminEnv> {
  const app = new Hono<AdminEnv>()
  app.use(securityHeaders())
  app.use(guard)
  app.route('/', healthRoutes(context))
  return sayingProblems(app, context)
}

/** Has an app answer with problems where there is nothing, and where it fails. */
export function sayingProblems(app: Hono<AdminEnv>, { log }: Pick<AdminContext, 'log'>): Hono<AdminEnv> {
  app.notFound(({ req }) => problemResponse({ status: 404, detail: `There is nothing at ${req.path}.` }))
  app.onError((error, { req }) => {
    const problem = problemOf(error)
    if (problem.status >= 500) log.error({ path: req.path, error: String(error) }, 'admin.failed')
    return problemResponse(problem)
  })
  return app
}

/** Everyone learns the status, and who sees the whole what it is made of. */
export function healthRoutes(context: Pick<AdminContext, 'readiness'>): Hono<AdminEnv> {
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
