import { timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { problemResponse } from '../problem.ts'
import type { AccessControl } from './access-control.ts'
import { LINK_LASTS_MS, LoginLinks } from './login-links.ts'
import { loginPage } from './login-page.ts'
import { isSecure, PAGELESS } from './session-routes.ts'

/** `/login/link`: a program that has a token asks for an address that signs a browser in, once and within a minute. */
export function linkRoutes(context: AdminContext, control: AccessControl): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const links = new LoginLinks(context.clock)
  routes.post('/login/link', (c) => {
    if (control.isOpen) return c.json({ path: '/', expires_in_seconds: null })
    const known = control.recognise(c.req.raw)
    if (known?.by !== 'token') {
      const headers = { 'WWW-Authenticate': 'Bearer' }
      return problemResponse({ status: 401, detail: 'Send the token that is to be signed in as Bearer.', headers })
    }
    if (known.asker.scope.kind === 'subscription') return problemResponse({ status: 404, detail: PAGELESS })
    const token = (c.req.header('authorization') ?? '').replace(/^bearer +/i, '').trim()
    const seconds = LINK_LASTS_MS / 1_000
    return c.json({ path: `/login/link?code=${links.issue(token)}`, expires_in_seconds: seconds })
  })
  routes.get('/login/link', (c) => {
    if (control.isOpen) return c.redirect('/', 303)
    const code = c.req.query('code') ?? ''
    const token = isStanding(code, context.demo?.standingCode) ? context.access().token : links.redeem(code)
    const signedIn = token === null ? null : control.signIn(token, c.req.raw, { secure: isSecure(c, context) })
    if (signedIn?.kind !== 'signed_in') {
      const problem = 'That link was used already, or is older than a minute.'
      return c.html(loginPage({ next: '/', problem, version: context.version }), 401)
    }
    for (const cookie of signedIn.cookies) c.header('Set-Cookie', cookie, { append: true })
    return c.redirect('/', 303)
  })
  return routes
}

function isStanding(code: string, standing: string | undefined): boolean {
  if (standing === undefined) return false
  const [left, right] = [Buffer.from(code), Buffer.from(standing)]
  return left.length === right.length && timingSafeEqual(left, right)
}
