import type { Context, MiddlewareHandler } from 'hono'
import type { Looking, PageReader } from './admin-context.ts'
import type { AdminEnv } from './admin-env.ts'
import { keptChoices } from './viewing.ts'

/** Has pages and lists made elsewhere, but for what `stays`: what only this thread knows. */
export function readElsewhere(
  reader: PageReader | null,
  stays: (path: string) => boolean,
): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    const { method, path } = c.req
    if (reader === null || (method !== 'GET' && method !== 'HEAD') || stays(path)) return next()
    const look = await reader(lookingOf(c))
    if (look === null) return next()
    const { body, headers, status } = look
    // Headers that were set before, a cookie above all, go with it. Bytes that are not put into another answer's place are written
    // as they are; otherwise they would be read as a stream.
    return c.newResponse(body, new Response(null, { status, headers: headers.map(([name, value]) => [name, value]) }))
  }
}

export function lookingOf(c: Context<AdminEnv>): Looking {
  const { raw } = c.req
  const accept = raw.headers.get('accept') ?? ''
  return {
    url: raw.url,
    posted: null,
    accept,
    asker: c.get('asker'),
    notice: c.get('notice') ?? null,
    kept: keptChoices(c),
    lastVisit: c.get('lastVisit') ?? null,
    simulatedAt: c.get('simulatedAt') ?? null,
  }
}
