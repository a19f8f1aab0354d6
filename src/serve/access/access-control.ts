import { createHash, timingSafeEqual } from 'node:crypto'
import { ALL, type NarrowerToken } from '../../model/scope.ts'
import type { AdminContext, Asker } from '../admin-context.ts'
import { readSession, sessionName, signSession, type Session } from './session.ts'

/** Who asks, and what shows it. */
export interface Recognised {
  readonly asker: Asker
  readonly by: 'token' | 'cookie' | 'nothing'
}

const ADMIN: Asker = { role: 'admin', name: 'http.token', scope: ALL }
const VIEWER: Asker = { role: 'viewer', name: 'http.viewer_token', scope: ALL }
const READER: Asker = { role: 'reader', name: 'loopback', scope: ALL }

interface Owned {
  readonly asker: Asker
  readonly token: string
}

/** What signing in came to: `pageless` is a token that opens no pages. */
type SignedIn =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'pageless'; readonly asker: Asker }
  | { readonly kind: 'signed_in'; readonly asker: Asker; readonly cookies: readonly string[] }

function narrowerAsker({ name, role, scope }: NarrowerToken): Asker {
  return { name, scope, role: scope.kind === 'subscription' ? 'subscriber' : role }
}

const LIFETIME_MS = 7 * 86_400_000
/** How soon it is known here what was signed out at another worker. */
const LOOKS_EVERY_MS = 1_000
/** Far more than people sign out in a week. */
const MOST_ENDED = 1_000

type Context = Pick<AdminContext, 'access' | 'clock' | 'log' | 'sessions'>

/** Recognises tokens and the sessions that they open. A session ends with its token, after a week, and when it is signed out. */
export class AccessControl {
  readonly #context: Context
  /** Ids of sessions that were signed out. */
  readonly #ended: Set<string>
  #lookedAt = -Infinity
  #lastLook: Promise<void> = Promise.resolve()

  /** `ended`: sessions that were signed out before, in other processes too. */
  constructor(context: Context, ended: readonly Session[]) {
    this.#context = context
    this.#ended = new Set(ended.map(({ id }) => id))
  }

  /** Without any token, whoever is on this machine may look. */
  get isOpen(): boolean {
    const { token, tokens, viewerToken } = this.#context.access()
    return token === null && viewerToken === null && tokens.length === 0
  }

  /** Who asks; null: nobody who may look. A token that is shown counts alone, whatever cookie comes with it. */
  recognise(request: Request): Recognised | null {
    if (this.isOpen) return { asker: READER, by: 'nothing' }
    const header = request.headers.get('authorization')
    if (header !== null) {
      const asker = this.#ownerOf(bearerOf(request))?.asker
      return asker === undefined ? null : { asker, by: 'token' }
    }
    const session = this.#sessionOf(request)
    return session === null ? null : { asker: session.asker, by: 'cookie' }
  }

  /** Whether a token came with a request, whosever it is. */
  showsToken(request: Request): boolean {
    return bearerOf(request) !== ''
  }

  /** Who asks, judged with what was signed out elsewhere until a moment ago. */
  async recogniseAnew(request: Request): Promise<Recognised | null> {
    const known = this.recognise(request)
    if (known?.by !== 'cookie') return known
    await this.look()
    return this.recognise(request)
  }

  /** Learns what was signed out elsewhere, unless it just did. While the store is away it goes by what it knows. */
  async look(): Promise<void> {
    const { clock } = this.#context
    const now = clock.monotonic()
    if (now - this.#lookedAt >= LOOKS_EVERY_MS) {
      this.#lookedAt = now
      this.#lastLook = this.#learn().catch(() => undefined)
    }
    await this.#lastLook
  }

  async #learn(): Promise<void> {
    const { clock, sessions } = this.#context
    for (const { id } of await sessions.endedSessions(clock.now())) this.#ended.add(id)
  }

  /** What signing in with a token comes to. Sessions that the browser had of others end. */
  signIn(shown: string, request: Request, options: { readonly secure: boolean }): SignedIn {
    const known = this.#ownerOf(shown)
    if (known === undefined) return { kind: 'unknown' }
    if (known.asker.scope.kind === 'subscription') return { kind: 'pageless', asker: known.asker }
    const value = signSession(known.token, this.#context.clock.now() + LIFETIME_MS)
    const own = cookie(known.token, { ...options, value, seconds: LIFETIME_MS / 1_000 })
    const others = this.#shownBy(request).filter(({ token }) => token !== known.token)
    return { kind: 'signed_in', asker: known.asker, cookies: [own, ...others.map(({ token }) => gone(token, options))] }
  }

  /** The `Set-Cookie` headers that sign out. A cookie that somebody has copied works no more, now and after a restart. */
  async signOut(request: Request, options: { readonly secure: boolean }): Promise<readonly string[]> {
    const session = this.#sessionOf(request)
    if (session !== null) await this.#end(session)
    return this.#shownBy(request).map(({ token }) => gone(token, options))
  }

  #sessionOf(request: Request): (Session & { readonly asker: Asker }) | null {
    const cookies = cookiesOf(request)
    for (const { asker, token } of this.#shownBy(request)) {
      if (asker.scope.kind === 'subscription') continue
      const session = readSession(token, cookies.get(sessionName(token)) ?? '')
      if (session === null || session.expiresAt <= this.#context.clock.now() || this.#ended.has(session.id)) continue
      return { asker, ...session }
    }
    return null
  }

  /** The tokens of which a browser shows a session, whatever it is worth. */
  #shownBy(request: Request): readonly Owned[] {
    const cookies = cookiesOf(request)
    return cookies.size === 0 ? [] : this.#tokens().filter(({ token }) => cookies.has(sessionName(token)))
  }

  async #end({ expiresAt, id }: Session): Promise<void> {
    const [oldest] = this.#ended
    if (oldest !== undefined && this.#ended.size >= MOST_ENDED) this.#ended.delete(oldest)
    this.#ended.add(id)
    const { clock, log, sessions } = this.#context
    try {
      await sessions.endSession({ id, expiresAt }, clock.now())
    } catch (error) {
      log.error({ error: String(error), next: 'it is signed out until a restart' }, 'admin.failed')
    }
  }

  /** Each is compared, whichever is shown: how long that takes says nothing. */
  #ownerOf(shown: string): Owned | undefined {
    const same = this.#tokens().flatMap((owned) => (isSame(shown, owned.token) ? [owned] : []))
    return same.at(-1)
  }

  #tokens(): readonly Owned[] {
    const { token, tokens, viewerToken } = this.#context.access()
    return [
      ...(token === null ? [] : [{ asker: ADMIN, token }]),
      ...(viewerToken === null ? [] : [{ asker: VIEWER, token: viewerToken }]),
      ...tokens.map((each) => ({ asker: narrowerAsker(each), token: each.token })),
    ]
  }
}

/** Empty: none is shown. */
function bearerOf({ headers }: Request): string {
  return /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
}

/** Whether two texts are one, in a time that says nothing of what they have in common. */
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
