import type { HttpSettings } from '../config/config.ts'
import { startHttpServer } from '../http-server.ts'
import { problemResponse } from '../serve/problem.ts'

/**
 * A server that says, until the store is there, at the address of the admin interface that the process lives and is not ready.
 */
export async function serveWaiting(http: HttpSettings | null): Promise<AsyncDisposable | null> {
  // Nobody knows yet where a port is that any free one is taken for.
  if (http === null || http.port === 0) return null
  return await startHttpServer({
    host: http.host,
    port: http.port,
    purpose: 'The admin interface',
    remedy: 'change `http.listen`, or set `http: false`',
    fetch: ({ url }) => answer(new URL(url).pathname),
  })
}

function answer(path: string): Response {
  if (path === '/healthz') return Response.json({ status: 'ok' })
  if (path === '/readyz') return Response.json({ status: 'not_ready' }, { status: 503 })
  return problemResponse({ status: 503, detail: 'The store cannot be read or written now: the log says why.' })
}
