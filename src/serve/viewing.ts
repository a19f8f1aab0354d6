import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { commonZone, readTimeZone } from '../model/time-zone.ts'
import { isSecure } from './access/session-routes.ts'
import type { AdminEnv } from './admin-env.ts'
import { queryOf } from './pages/parts/address.ts'
import { RequestViewer, viewedBy } from './pages/parts/viewer.ts'
import type { Desks, Surroundings } from './scope/desks.ts'

const NAME = 'shipbell_tz'
const LIFE_SECONDS = 365 * 86_400

/** Shows all that is asked for to its viewer: in the zone of `?tz=`, else of the choice before, else of the accounts that they see. */
export function viewing(desks: Desks): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    await viewedBy(viewerOf(c, desks), next)
  }
}

/** Keeps a choice that the address of a page makes for the pages after it. */
export function keepingZone(surroundings: Surroundings): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    const asked = c.req.query('tz')
    if (c.req.method === 'GET' && asked !== undefined && !c.req.path.startsWith('/api/')) {
      const zone = readTimeZone(asked)
      const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(c, surroundings) } as const
      if (zone !== null) setCookie(c, NAME, zone, { ...options, maxAge: LIFE_SECONDS })
      else if (asked.trim() === '') deleteCookie(c, NAME, options)
    }
    await next()
  }
}

function viewerOf(c: Context<AdminEnv>, desks: Desks): RequestViewer {
  const { pathname, searchParams } = new URL(c.req.url)
  return new RequestViewer({
    asked: searchParams.get('tz'),
    kept: keptZone(c),
    address: c.req.method === 'GET' ? { path: pathname, query: queryOf(searchParams) } : null,
    usualZone: () => {
      // Nobody is known yet where a request is refused before it is known who asks.
      const asker: AdminEnv['Variables']['asker'] | undefined = c.get('asker')
      return asker === undefined
        ? 'UTC'
        : commonZone(
            desks
              .deskOf(asker)
              .accounts()
              .map(({ timeZone }) => timeZone),
          )
    },
  })
}

/** The zone that a viewer chose before; null: none. */
export function keptZone(c: Context<AdminEnv>): string | null {
  return getCookie(c, NAME) ?? null
}

/** The header of a request that says what `keptZone` finds. */
export function keptZoneHeader(zone: string | null): Readonly<Record<string, string>> {
  return zone === null ? {} : { cookie: `${NAME}=${encodeURIComponent(zone)}` }
}
