import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { problemResponse } from '../problem.ts'
import type { AccessControl } from './access-control.ts'
import { say } from '../pages/languages/say.ts'
import { loginPage } from './login-page.ts'
import { ownPath } from './own-path.ts'
import type { WrongTokens } from './wrong-tokens.ts'

const LARGEST_FORM_BYTES = 16_384

/** `/login` and `/logout`. */
export function sessionRoutes(context: AdminContext, control: AccessControl, wrong: WrongTokens): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const { version } = context
  routes.get('/login', (c) => {
    const next = ownPath(c.req.query('next'))
    return control.isOpen ? c.redirect(next, 303) : c.html(loginPage({ next, problem: null, version }))
  })
  routes.post('/login', bodyLimit({ maxSize: LARGEST_FORM_BYTES, onError: tooLarge }), async (c) => {
    const form = await formOf(c)
    const [token, next] = [textOf(form.token), ownPath(textOf(form.next) || c.req.query('next'))]
    const signedIn = control.signIn(token.trim(), c.req.raw, { secure: isSecure(c, context) })
    if (signedIn.kind === 'pageless') return c.html(loginPage({ next, problem: PAGELESS, version }), 403)
    if (signedIn.kind === 'unknown') {
      const { address } = c.env.peer
      const seconds = Math.ceil(wrong.shown(address) / 1_000)
      if (seconds > 0) {
        const problem = say('Too many wrong tokens were shown: try again in {seconds} s.', { seconds })
        return c.html(loginPage({ next, problem, version }), 429, { 'Retry-After': String(seconds) })
      }
      context.log.warn({ peer: address, behind: behind(c) }, 'admin.sign_in_failed')
      return c.html(loginPage({ next, problem: 'That token is not known here.', version }), 401)
    }
    for (const cookie of signedIn.cookies) c.header('Set-Cookie', cookie, { append: true })
    return c.redirect(next, 303)
  })
  routes.post('/logout', async (c) => {
    const cookies = await control.signOut(c.req.raw, { secure: isSecure(c, context) })
    for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true })
    return c.redirect('/login', 303)
  })
  return routes
}

/** Said to who shows a token of one subscription. */
export const PAGELESS = 'This token is for programs: it opens no pages.'

function tooLarge(): Response {
  return problemResponse({ status: 413, detail: 'The form is larger than a token can be.' })
}

/** Anybody may send anything: what is no form has no token. */
async function formOf({ req }: Context<AdminEnv>) {
  return await req.parseBody().catch((error: unknown) => {
    if (error instanceof TypeError) return { token: '', next: '' }
    throw error
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** For whom a proxy speaks: the last one adds it at the end; what stands before that anybody may have written. */
function behind(c: Context<AdminEnv>): string | null {
  return c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim().slice(0, 64) || null
}

export function isSecure(c: Context<AdminEnv>, { access }: Pick<AdminContext, 'access'>): boolean {
  const isProxied = c.req.header('x-forwarded-proto')?.toLowerCase() === 'https'
  return isProxied || new URL(c.req.url).protocol === 'https:' || access().publicUrl?.startsWith('https:') === true
}
