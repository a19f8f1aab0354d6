import { OpenAPIHono } from '@hono/zod-openapi'
import type { AdminContext } from '../admin-context.ts'
import type { Desks } from '../scope/desks.ts'
import type { LiveStreams } from '../stream/live-streams.ts'
import type { AdminEnv } from '../admin-env.ts'
import { csvRoutes } from '../lists/csv-routes.ts'
import { readElsewhere } from '../page-reader.ts'
import { problemResponse } from '../problem.ts'
import { actionRoutes } from './action-routes.ts'
import { openApiDocument } from './document.ts'
import { exceptionRoutes } from './exception-routes.ts'
import { documentRoutes } from './document-routes.ts'
import { feedRoutes } from './feed-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { logRoutes } from './log-routes.ts'
import { recordRoutes } from './record-routes.ts'
import { reliabilityRoutes } from './reliability-routes.ts'
import { retryRoutes } from './retry-routes.ts'
import { runtimeRoutes } from './runtime-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { snapshotRoutes } from './snapshot-routes.ts'
import { streamRoutes } from '../stream/stream-routes.ts'
import { statusRoutes } from './status-routes.ts'

/** What routes are given that no desk narrows. */
interface Beside extends Pick<AdminContext, 'subscriptions'> {
  readonly streams: LiveStreams
}

/** `/api/v1`, and the document that describes it. */
export function apiRoutes(desks: Desks, { streams, subscriptions }: Beside): OpenAPIHono<AdminEnv> {
  const routes = new OpenAPIHono<AdminEnv>()
  const parts = [
    statusRoutes,
    logRoutes,
    recordRoutes,
    searchRoutes,
    reliabilityRoutes,
    documentRoutes,
    exceptionRoutes,
    feedRoutes,
    retryRoutes,
    actionRoutes,
    runtimeRoutes,
    snapshotRoutes,
    (of: Desks) => streamRoutes(of, streams),
  ]
  routes.use('/api/v1/records/*', csvRoutes(desks))
  routes.use(
    '/api/v1/*',
    readElsewhere(desks.reader, (path) => path === '/api/v1/stream' || path.startsWith('/api/v1/documents/')),
  )
  for (const part of parts) routes.route('/api/v1', part(desks))
  routes.route('/', keyRoutes({ subscriptions }))
  let document: ReturnType<typeof openApiDocument> | null = null
  routes.get('/api/openapi.json', (c) => c.json((document ??= openApiDocument(routes, desks.version))))
  const known = methodsByPath(routes)
  routes.all('/api/*', ({ req: { method, path } }) => {
    const allowed = known.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []))
    if (allowed.length === 0) return problemResponse({ status: 404, detail: `There is nothing at ${path}.` })
    const Allow = [...new Set(allowed)].join(', ')
    return problemResponse({ status: 405, detail: `${method} is not possible here: ${Allow} is.`, headers: { Allow } })
  })
  return routes
}

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: readonly string[]
}

function methodsByPath({ routes }: OpenAPIHono<AdminEnv>): readonly KnownPath[] {
  // What is mounted for all methods looks at requests, and answers none.
  const answering = routes.filter(({ method }) => method !== 'ALL')
  return answering.map(({ path, method }) => ({
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
  }))
}
