import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { AdminEnv } from '../admin-env.ts'
import type { Notice } from './notice.ts'

const NAME = 'shipbell_notice'
const LIFE_SECONDS = 60
/** How many notices wait to be shown, the newest. */
const MOST = 200

/**
 * What an action came to, for the page that it leads back to: shown once. The address stays that of the page, and the browser
 * is given no more than a name for the text.
 */
export class Notices {
  readonly #waiting = new Map<string, Notice>()

  /** Leads to a page of ours that shows the notice. */
  leadTo(c: Context<AdminEnv>, path: string, notice: Notice): Response {
    const id = randomUUID()
    this.#waiting.set(id, notice)
    const [oldest] = this.#waiting.keys()
    if (this.#waiting.size > MOST && oldest !== undefined) this.#waiting.delete(oldest)
    setCookie(c, NAME, id, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: LIFE_SECONDS })
    return c.redirect(path, 303)
  }

  /** Hands the notice to the page that a person has asked for, not to what refreshes one. */
  middleware(): MiddlewareHandler<AdminEnv> {
    return async (c, next) => {
      const id = getCookie(c, NAME)
      const notice = id === undefined ? undefined : this.#waiting.get(id)
      if (id !== undefined && c.req.method === 'GET' && c.req.header('sec-fetch-dest') !== 'empty') {
        this.#waiting.delete(id)
        deleteCookie(c, NAME, { path: '/' })
        if (notice !== undefined) c.set('notice', notice)
      }
      await next()
    }
  }
}
