import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono, type Context, type Next } from 'hono'
import type { Readiness } from './readiness.ts'

export interface AdminOptions {
  /** null: answers only to a loopback Host, and is read-only. */
  readonly token: () => string | null
  readonly readiness: () => Promise<Readiness>
}

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The admin interface (guarantees A1 and A2). */
export function createAdminApp(options: AdminOptions): Hono {
  const app = new Hono()
  app.use(async (context, next) => guardHost(context, next, options))
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    const readiness = await options.readiness()
    const status = readiness.ready ? 'ready' : 'not_ready'
    const body = isAuthorised(context, options.token()) ? { status, ...readiness } : { status }
    return context.json(body, readiness.ready ? 200 : 503)
  })
  app.use(async (context, next) => {
    if (isAuthorised(context, options.token())) return next()
    const error = 'A token is needed: send `Authorization: Bearer` with the one configured as `http.token`.'
    return context.json({ error }, 401, { 'WWW-Authenticate': 'Bearer' })
  })
  app.notFound((context) =>
    context.json({ error: `There is nothing at ${context.req.path}: try /healthz or /readyz.` }, 404),
  )
  return app
}

/** Without a token, a page elsewhere must not reach this interface under a name of its own (DNS rebinding). */
async function guardHost(context: Context, next: Next, options: AdminOptions): Promise<Response | void> {
  const host = (context.req.header('host') ?? '').replace(/:\d+$/, '').toLowerCase()
  if (options.token() !== null || LOOPBACK_HOSTS.has(host)) return next()
  const error = 'Without `http.token` this interface answers only as localhost, 127.0.0.1 or [::1].'
  return context.json({ error }, 403)
}

function isAuthorised(context: Context, token: string | null): boolean {
  if (token === null) return true
  const given = context.req.header('authorization') ?? ''
  return timingSafeEqual(digest(given), digest(`Bearer ${token}`))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
