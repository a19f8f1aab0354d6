import type { MiddlewareHandler } from 'hono'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { problemResponse } from '../problem.ts'
import { askerOf } from './asker-of.ts'

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])
const OPEN = new Set(['/healthz', '/readyz', '/login'])

/** Lets through who may ask for what they ask for, and says on whose behalf. */
export function guardAccess(context: AdminContext): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    const host = (c.req.header('host') ?? '').replace(/:\d+$/, '').toLowerCase()
    if (context.access().token === null && !LOOPBACK_HOSTS.has(host))
      return problemResponse({ status: 403, detail: FOREIGN_HOST })
    const asker = askerOf(c.req.raw, context)
    if (asker !== null) c.set('asker', asker)
    else if (!isOpen(c.req.path))
      return problemResponse({ status: 401, detail: NO_TOKEN, headers: { 'WWW-Authenticate': 'Bearer' } })
    return next()
  }
}

const FOREIGN_HOST = 'Without `http.token` this interface answers only as localhost, 127.0.0.1 or [::1].'
const NO_TOKEN = 'A token is needed: send `Authorization: Bearer` with the one configured as `http.token`.'

function isOpen(path: string): boolean {
  return OPEN.has(path) || path.startsWith('/assets/')
}
