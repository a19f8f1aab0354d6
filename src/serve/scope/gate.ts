import { Hono, type Context } from 'hono'
import { ALL } from '../../model/scope.ts'
import { isOpen } from '../access/guard-access.ts'
import type { AdminEnv } from '../admin-env.ts'
import { MCP_PATH } from '../mcp/mcp-path.ts'
import { problemResponse } from '../problem.ts'
import type { Desks } from './desks.ts'
import { ROUTE_TABLE, type RouteRule } from './route-table.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Answers 404 to narrower tokens for all that `ROUTE_TABLE` does not open to them, before anything is said of it: whether it
 * takes the method, whether a parameter is malformed, or that they may not act.
 */
export function gate(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  for (const rule of ROUTE_TABLE) {
    routes.use(rule.path, async (c, next) => {
      const scope = c.get('asker')?.scope ?? ALL
      if (scope.kind !== 'all' && c.get('opened') !== true) await look(c, { rule, kind: scope.kind, desks })
      await next()
    })
  }
  routes.use(async (c, next) => {
    const { method, path } = c.req
    if (isOpen(path)) return next()
    const { role, scope } = c.get('asker')
    if (scope.kind === 'all') return next()
    const other = c.get('otherMethods') ?? []
    const isThere = c.get('opened') === true || other.length > 0
    if (!isThere) return problemResponse({ status: 404, detail: `There is nothing at ${path}.` })
    if (!SAFE.has(method) && path !== MCP_PATH && role === 'viewer')
      return problemResponse({ status: 403, detail: VIEWERS_LOOK })
    if (c.get('opened') === true) return next()
    const Allow = other.join(', ')
    return problemResponse({ status: 405, detail: `${method} is not possible here: ${Allow} is.`, headers: { Allow } })
  })
  return routes
}

const VIEWERS_LOOK = 'With this token you may look and change nothing.'

interface Looking {
  readonly rule: RouteRule
  readonly kind: 'accounts' | 'subscription'
  readonly desks: Desks
}

/** Notes whether a rule opens the request, or would with another method. */
async function look(c: Context<AdminEnv>, { desks, kind, rule }: Looking): Promise<void> {
  const desk = desks.deskOf(c.get('asker'))
  const asked = c.req.method === 'HEAD' ? 'GET' : c.req.method
  for (const [method, opens] of Object.entries(rule.methods)) {
    const looks = opens[kind]
    if (looks === undefined || !(await looks(desk, c.req.param()))) continue
    if (method === asked) c.set('opened', true)
    // A program that reads one subscription is told nothing of what others may do with it.
    else if (kind === 'accounts')
      c.set('otherMethods', [...(c.get('otherMethods') ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
  }
}
