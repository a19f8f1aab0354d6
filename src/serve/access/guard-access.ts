import { isDeepStrictEqual } from 'node:util'
import type { MiddlewareHandler } from 'hono'
import type { AdminContext, Asker } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { PRESSED_AT } from '../../model/subscription.ts'
import { problemResponse } from '../problem.ts'
import type { AccessControl } from './access-control.ts'
import { TokenUses } from './token-uses.ts'
import type { WrongTokens } from './wrong-tokens.ts'
import { isCrossOrigin, isSameOrigin } from './same-origin.ts'
import { MCP_PATH } from '../mcp/mcp-path.ts'

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Where receivers find the public keys of what signs. */
export const KEYS_AT = '/.well-known/shipbell-keys'
/** What answers everyone. */
const OPEN = new Set(['/healthz', '/readyz', '/login', '/login/link', '/logout', PRESSED_AT, KEYS_AT])
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Lets through who may ask for what they ask for, and says on whose behalf. */
export function guardAccess(
  context: AdminContext,
  control: AccessControl,
  wrong: WrongTokens,
): MiddlewareHandler<AdminEnv> {
  const uses = new TokenUses(context)
  const recognised = (path: string) => async (request: Request) => {
    const found = isOpen(path) ? control.recognise(request) : await control.recogniseAnew(request)
    // Programs show their token with each message: a browser's session is none.
    return path === MCP_PATH && found?.by === 'cookie' ? null : found
  }
  return async (c, next) => {
    const { method, path, raw } = c.req
    const known = await recognised(path)(raw)
    // What a message of the protocol does is for its tools to say.
    const acts = !SAFE.has(method) && path !== MCP_PATH
    // What Slack sends to the public address is judged by its signature.
    if (control.isOpen && path !== PRESSED_AT && !isLoopbackHost(raw)) return refused(FOREIGN_HOST)
    if (acts && known?.by === 'cookie' && !isSameOrigin(raw)) return refused(FOREIGN_ORIGIN)
    if (path === MCP_PATH && isCrossOrigin(raw)) return refused(FOREIGN_PAGE)
    if (known !== null) {
      c.set('asker', known.asker)
      uses.seen(known.asker, c.env.peer.address)
    }
    c.set('isStillKnown', () => {
      void control.look()
      return isSameAsker(control.recognise(raw)?.asker, known?.asker)
    })
    const refusedMs = known === null && control.showsToken(raw) ? wrong.shown(c.env.peer.address) : 0
    if (isOpen(path)) return acts && isCrossOrigin(raw) ? refused(FOREIGN_ORIGIN) : next()
    if (refusedMs > 0) return tooMany(refusedMs)
    if (known === null) return wantsPage(raw) ? c.redirect(loginFor(raw), 303) : withoutToken()
    // What a narrower token may ask for says the gate, which says first what is not there.
    if (known.asker.scope.kind !== 'all') return next()
    if (acts && known.asker.role === 'viewer') return refused(VIEWERS_LOOK)
    if (acts && known.asker.role === 'reader') return refused(READ_ONLY)
    return next()
  }
}

const FOREIGN_HOST = 'Without any token this interface answers only as localhost, 127.0.0.1 or [::1].'
const FOREIGN_ORIGIN =
  'This was sent by a page from elsewhere: act on a page of this interface, or send the token as Bearer.'
const FOREIGN_PAGE =
  'This was sent by a page from elsewhere, which may not speak the protocol here: a program sends no `Origin`.'
const VIEWERS_LOOK = 'With `http.viewer_token` you may look and change nothing: sign in with `http.token`.'
const READ_ONLY = 'Without `http.token` this interface is read-only: configure one, and sign in with it.'
const NO_TOKEN = 'A token is needed: send `Authorization: Bearer` with the one configured as `http.token`.'

const TOO_MANY = 'Too many wrong tokens were shown from this address: correct yours, and try again in a minute.'

function refused(detail: string): Response {
  return problemResponse({ status: 403, detail })
}

function tooMany(ms: number): Response {
  return problemResponse({ status: 429, detail: TOO_MANY, headers: { 'Retry-After': String(Math.ceil(ms / 1_000)) } })
}

function withoutToken(): Response {
  return problemResponse({ status: 401, detail: NO_TOKEN, headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** A page elsewhere must not reach this interface under a name of its own (DNS rebinding). */
function isLoopbackHost({ headers }: Request): boolean {
  return LOOPBACK_HOSTS.has((headers.get('host') ?? '').replace(/:\d+$/, '').toLowerCase())
}

/** Whether a token that was shown still lets see just what it did. */
function isSameAsker(now: Asker | undefined, before: Asker | undefined): boolean {
  return now !== undefined && isDeepStrictEqual(now, before)
}

/** What answers everyone. */
export function isOpen(path: string): boolean {
  return OPEN.has(path) || path.startsWith('/assets/')
}

/** A person with a browser asks for a page; programs get problems. */
function wantsPage({ headers }: Request): boolean {
  return headers.get('accept')?.includes('text/html') === true
}

function loginFor({ method, url }: Request): string {
  if (!SAFE.has(method)) return '/login'
  const { pathname, search } = new URL(url)
  return `/login?next=${encodeURIComponent(pathname + search)}`
}
