import { createHash, timingSafeEqual } from 'node:crypto'
import type { AdminContext, Asker } from '../admin-context.ts'

const ADMIN: Asker = { role: 'admin', name: 'http.token' }
const VIEWER: Asker = { role: 'viewer', name: 'http.viewer_token' }
const READER: Asker = { role: 'reader', name: 'loopback' }

/** Who sends a request; null: nobody who may look. */
export function askerOf(request: Request, context: Pick<AdminContext, 'access'>): Asker | null {
  const { token, viewerToken } = context.access()
  if (token === null && viewerToken === null) return READER
  return askerByToken(bearerOf(request) ?? '', context)
}

/** Who shows a token; null: it is nobody's. */
export function askerByToken(given: string, { access }: Pick<AdminContext, 'access'>): Asker | null {
  const { token, viewerToken } = access()
  if (token !== null && isSame(given, token)) return ADMIN
  return viewerToken !== null && isSame(given, viewerToken) ? VIEWER : null
}

function bearerOf(request: Request): string | null {
  return /^bearer +(.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim() ?? null
}

/** In a time that says nothing of what they have in common. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
