import { Hono } from 'hono'
import type { AdminContext, Look, Looking } from './admin-context.ts'
import type { AdminEnv } from './admin-env.ts'
import { apiRoutes } from './api/routes.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { desksOf } from './scope/desks.ts'
import { LiveStreams } from './stream/live-streams.ts'
import { pageRoutes } from './pages/routes.ts'
import { problemOf, problemResponse } from './problem.ts'
import { choiceHeaders, viewing } from './viewing.ts'

/** Nobody is at the other end: the thread that asked is. */
const NOBODY = { address: '', hangUp: () => undefined } as const

/** Pages and lists for somebody whom the thread that asks has recognised. */
export function createLookingApp(context: AdminContext): (looking: Looking) => Promise<Look> {
  const routes = new Hono<AdminEnv>()
  const desks = desksOf(context)
  routes.route('/', apiRoutes(desks, { streams: new LiveStreams(context), subscriptions: context.subscriptions }))
  routes.route('/', mcpRoutes(desks))
  routes.route('/', pageRoutes(desks))
  return async ({ accept, asker, kept, lastVisit, notice, posted, simulatedAt, url }) => {
    const app = new Hono<AdminEnv>()
    app.use(async (c, next) => {
      c.set('asker', asker)
      if (notice !== null) c.set('notice', notice)
      if (lastVisit !== null) c.set('lastVisit', lastVisit)
      if (simulatedAt !== null) c.set('simulatedAt', simulatedAt)
      c.set('inSlices', true)
      await next()
    })
    app.use(viewing(desks))
    app.route('/', routes)
    app.notFound(({ req }) => problemResponse({ status: 404, detail: `There is nothing at ${req.path}.` }))
    app.onError((error, { req }) => {
      const problem = problemOf(error)
      if (problem.status >= 500) context.log.error({ path: req.path, error: String(error) }, 'admin.failed')
      return problemResponse(problem)
    })
    const headers = { accept, ...choiceHeaders(kept), ...posted?.headers }
    const asked = { headers, ...(posted !== null && { method: 'POST', body: posted.body }) }
    const answer = await app.fetch(new Request(url, asked), { peer: NOBODY })
    return { status: answer.status, headers: [...answer.headers], body: new Uint8Array(await answer.arrayBuffer()) }
  }
}
