import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { commonZone, readTimeZone } from '../model/time-zone.ts'
import { isSecure } from './access/session-routes.ts'
import type { KeptChoices } from './admin-context.ts'
import type { AdminEnv } from './admin-env.ts'
import { MCP_PATH } from './mcp/mcp-path.ts'
import { readLanguage } from './pages/parts/accepted-language.ts'
import { queryOf } from './pages/parts/address.ts'
import { RequestViewer, viewedBy } from './pages/parts/viewer.ts'
import type { Desks, Surroundings } from './scope/desks.ts'

/** What whoever looks may choose: by a name of the address, kept in a cookie. */
const CHOICES = [
  { parameter: 'tz', cookie: 'shipbell_tz', read: readTimeZone },
  { parameter: 'lang', cookie: 'shipbell_lang', read: readLanguage },
] as const
const [ZONE, LANGUAGE] = CHOICES
const LIFE_SECONDS = 365 * 86_400

/**
 * Shows all that is asked for to its viewer: in the zone of `?tz=`, else of the choice before, else of the accounts that they see;
 * pages in the language of `?lang=`, else of the choice before, else that the browser would rather read.
 */
export function viewing(desks: Desks): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    const who = viewerOf(c, desks)
    // As with any other parameter that is wrong; whatever else there is to say of the request says so in place of it.
    if ((who.wrongZone ?? who.wrongLanguage) !== null && !isForPrograms(c.req.path)) c.status(422)
    await viewedBy(who, next)
    // A page that the thread of pages made says so itself, and is told the same again.
    if (c.res.headers.get('content-type')?.startsWith('text/html') === true) c.header('Vary', 'Accept-Language, Cookie')
  }
}

/** Keeps the choices that the address of a page makes for the pages after it. */
export function keepingChoices(surroundings: Surroundings): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    if (c.req.method === 'GET' && !isForPrograms(c.req.path)) {
      const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(c, surroundings) } as const
      for (const { cookie, parameter, read } of CHOICES) {
        const asked = c.req.query(parameter)
        const chosen = asked === undefined ? null : read(asked)
        if (chosen !== null) setCookie(c, cookie, chosen, { ...options, maxAge: LIFE_SECONDS })
        else if (asked?.trim() === '') deleteCookie(c, cookie, options)
      }
    }
    await next()
  }
}

function isForPrograms(path: string): boolean {
  return path.startsWith('/api/') || path === MCP_PATH
}

function viewerOf(c: Context<AdminEnv>, desks: Desks): RequestViewer {
  const { pathname, searchParams } = new URL(c.req.url)
  const { accepted, language, zone } = keptChoices(c)
  // What programs and spreadsheets read is in English for everybody.
  const isPage = !isForPrograms(pathname) && searchParams.get('format') !== 'csv'
  return new RequestViewer({
    zone: { asked: searchParams.get(ZONE.parameter), kept: zone },
    language: isPage
      ? { asked: searchParams.get(LANGUAGE.parameter), kept: language, accepted }
      : { asked: null, kept: null, accepted: '' },
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

/** What a viewer chose before, and what their browser says of languages. */
export function keptChoices(c: Context<AdminEnv>): KeptChoices {
  return {
    zone: getCookie(c, ZONE.cookie) ?? null,
    language: getCookie(c, LANGUAGE.cookie) ?? null,
    accepted: c.req.header('accept-language') ?? '',
  }
}

/** The headers of a request that say what `keptChoices` finds. */
export function choiceHeaders({ accepted, language, zone }: KeptChoices): Readonly<Record<string, string>> {
  const cookies = [
    ...(zone === null ? [] : [`${ZONE.cookie}=${encodeURIComponent(zone)}`]),
    ...(language === null ? [] : [`${LANGUAGE.cookie}=${encodeURIComponent(language)}`]),
  ]
  return { 'accept-language': accepted, ...(cookies.length > 0 && { cookie: cookies.join('; ') }) }
}
