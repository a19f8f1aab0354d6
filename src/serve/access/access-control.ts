import { createHash, timingSafeEqual } from 'node:crypto'
import type { AdminContext, Asker } from '../admin-context.ts'
import { readSession, sessionName, signSession } from './session.ts'

/** Who asks, and what shows it. */
export interface Recognised {
  readonly asker: Asker
  readonly by: 'token' | 'cookie' | 'nothing'
}

const ADMIN: Asker = { role: 'admin', name: 'http.token' }
const VIEWER: Asker = { role: 'viewer', name: 'http.viewer_token' }
const READER: Asker = { role: 'reader', name: 'loopback' }

const LIFETIME_MS = 7 * 86_400_000
/** Far more than people sign out in a week. */
const MOST_ENDED = 1_000

/** Recognises tokens and the sessions that they open. A session ends with its token, after a week, and when it is signed out. */
export class AccessControl {
  readonly #context: Pick<AdminContext, 'access' | 'clock'>
  /** Ids of sessions that were signed out. */
  readonly #ended = new Set<string>()

  constructor(context: Pick<AdminContext, 'access' | 'clock'>) {
    this.#context = context
  }

  /** Without any token, whoever is on this machine may look. */
  get isOpen(): boolean {
    const { token, viewerToken } = this.#context.access()
    return token === null && viewerToken === null
  }

  /** null: nobody who may look. A token that is shown counts alone, whatever cookie comes with it. */
  recognise(request: Request): Recognised | null {
    if (this.isOpen) return { asker: READER, by: 'nothing' }
    const header = request.headers.get('authorization')
    if (header !== null) {
      const [, shown = ''] = /^bearer +(\S+) *$/i.exec(header) ?? []
      const asker = this.#tokens().find(({ token }) => isSame(shown, token))?.asker
      return asker === undefined ? null : { asker, by: 'token' }
    }
    const session = this.#sessionOf(request)
    return session === null ? null : { asker: session.asker, by: 'cookie' }
  }

  /** The `Set-Cookie` headers that sign in who shows a token; null: it is nobody's. */
  signIn(shown: string, options: { readonly secure: boolean }): readonly string[] | null {
    const tokens = this.#tokens()
    const known = tokens.find(({ token }) => isSame(shown, token))
    if (known === undefined) return null
    const value = signSession(known.token, this.#context.clock.now() + LIFETIME_MS)
    return tokens.map(({ token }) =>
      token === known.token ? cookie(token, { ...options, value, seconds: LIFETIME_MS / 1_000 }) : gone(token, options),
    )
  }

  /** The `Set-Cookie` headers that sign out. */
  signOut(request: Request, options: { readonly secure: boolean }): readonly string[] {
    const session = this.#sessionOf(request)
    if (session !== null) this.#end(session.id)
    return this.#tokens().map(({ token }) => gone(token, options))
  }

  #sessionOf(request: Request): { readonly asker: Asker; readonly id: string } | null {
    const cookies = cookiesOf(request)
    for (const { asker, token } of this.#tokens()) {
      const session = readSession(token, cookies.get(sessionName(token)) ?? '')
      if (session === null || session.expiresAt <= this.#context.clock.now() || this.#ended.has(session.id)) continue
      return { asker, id: session.id }
    }
    return null
  }

  #end(id: string): void {
    const [oldest] = this.#ended
    if (oldest !== undefined && this.#ended.size >= MOST_ENDED) this.#ended.delete(oldest)
    this.#ended.add(id)
  }

  #tokens(): readonly { readonly asker: Asker; readonly token: string }[] {
    const { token, viewerToken } = this.#context.access()
    return [
      ...(token === null ? [] : [{ asker: ADMIN, token }]),
      ...(viewerToken === null ? [] : [{ asker: VIEWER, token: viewerToken }]),
    ]
  }
}

/** In a time that says nothing of what they have in common. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function cookiesOf(request: Request): ReadonlyMap<string, string> {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('='))
  return new Map(pairs.flatMap(([name, value]) => (name !== undefined && value !== undefined ? [[name, value]] : [])))
}

interface Cookie {
  readonly value: string
  readonly seconds: number
  readonly secure: boolean
}

function cookie(token: string, { value, seconds, secure }: Cookie): string {
  const flags = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${sessionName(token)}=${value}; ${flags}`
}

function gone(token: string, { secure }: Pick<Cookie, 'secure'>): string {
  return cookie(token, { value: '', seconds: 0, secure })
}
