import type { MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Clock } from '../../../clock.ts'
import { isSecure } from '../../access/session-routes.ts'
import type { AdminEnv } from '../../admin-env.ts'
import type { Surroundings } from '../../scope/desks.ts'

const NAME = 'shipbell_visit'
const LIFE_SECONDS = 365 * 86_400
/** After so long without a look the next one is another visit. */
const PAUSE_MS = 30 * 60_000

/** Instants of a browser's visits: when the present one began, when it looked last, and when the visit before it ended. */
interface Visits {
  readonly begun: number
  readonly seen: number
  readonly before: number | null
}

/**
 * Keeps in the browser when it looked at today, and says when it did before: at the end of its last visit, or at the beginning of the
 * present one, if that is the first.
 */
export function visiting(surroundings: Surroundings): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    if (c.req.path !== '/' || c.req.method !== 'GET') return await next()
    const { clock } = surroundings
    const now = clock.now()
    const known = readVisits(getCookie(c, NAME), clock)
    const lastVisit = known === null ? null : now - known.seen >= PAUSE_MS ? known.seen : (known.before ?? known.begun)
    if (lastVisit !== null) c.set('lastVisit', lastVisit)
    const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(c, surroundings) } as const
    setCookie(c, NAME, written(nextVisits(known, now)), { ...options, maxAge: LIFE_SECONDS })
    await next()
  }
}

function nextVisits(known: Visits | null, now: number): Visits {
  if (known === null) return { begun: now, seen: now, before: null }
  return now - known.seen >= PAUSE_MS ? { begun: now, seen: now, before: known.seen } : { ...known, seen: now }
}

function written({ before, begun, seen }: Visits): string {
  return [begun, seen, before ?? ''].join('.')
}

/** Whatever the browser kept: what can be no visit is none. */
function readVisits(text: string | undefined, clock: Pick<Clock, 'now'>): Visits | null {
  const [, begun = '', seen = '', before = ''] = /^(\d{1,15})\.(\d{1,15})\.(\d{0,15})$/.exec(text ?? '') ?? []
  if (begun === '' || Number(seen) > clock.now()) return null
  return { begun: Number(begun), seen: Number(seen), before: before === '' ? null : Number(before) }
}
