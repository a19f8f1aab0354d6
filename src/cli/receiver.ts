import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Forwarder, ForwardedAnswer } from '../app/forwarder.ts'
import type { Clock } from '../clock.ts'
import { startHttpServer, type HttpServer } from '../http-server.ts'
import { type Json, nestsDeeperThan } from '../model/json.ts'
import { schemeOf, verifySignature, type SignatureScheme, type Verdict } from './verify-signature.ts'

const LARGEST_BODY_BYTES = 1024 * 1024
const DEEPEST = 256

export interface ReceiverOptions {
  /** The address to listen at; left out: 127.0.0.1. */
  readonly host?: string | undefined
  /** 0: any free one. */
  readonly port: number
  /** `whsec_…`, or `whpk_…` or `whsk_…` for `v1a`; null: signatures are not looked at. */
  readonly secret: string | null
  /** Statuses to answer, one per delivery with a good signature; the last one repeats. Empty: 200. */
  readonly respond: readonly number[]
  readonly clock: Clock
  /** Where what is believed is passed on; its answer is the answer, unless `respond` says one. Left out: nowhere. */
  readonly forwarder?: Pick<Forwarder, 'forward'> | undefined
  readonly onDelivery: (delivery: ReceivedDelivery) => void
}

export interface ReceivedDelivery {
  readonly signature: Verdict | { readonly kind: 'unverified' }
  /** The body as it came, and parsed; null where there is a `problem`. */
  readonly body: string
  readonly payload: Json
  /** Why the body cannot be an event; null where it can. */
  readonly problem: string | null
  readonly coming: Coming
  /** What the answer was where the delivery was passed on; null: it was not. */
  readonly forwarded: ForwardedAnswer | null
  /** What was answered. */
  readonly status: number
}

/**
 * A webhook receiver: any path takes a POST. Answers by script, 401 where the signature is missing or wrong, 400
 * to what is not JSON, 413 above 1 MiB, 502 where what it forwards to does not answer. Throws `port_in_use` where it cannot listen.
 */
export async function startReceiver(options: ReceiverOptions): Promise<HttpServer> {
  const app = receiverApp(options)
  return startHttpServer({
    host: options.host ?? '127.0.0.1',
    port: options.port,
    purpose: 'The receiver',
    remedy: 'choose another port with --port',
    fetch: async (request) => app.fetch(request),
  })
}

function receiverApp({ secret, respond, clock, forwarder, onDelivery }: ReceiverOptions): Hono {
  const app = new Hono()
  const scheme = secret === null ? null : schemeOf(secret)
  const seen = new SeenEvents()
  let answered = 0
  const answer = (delivery: ReceivedDelivery): Response => {
    onDelivery(delivery)
    return new Response(null, { status: delivery.status })
  }
  app.use(bodyLimit({ maxSize: LARGEST_BODY_BYTES, onError: () => answer(TOO_LARGE) }))
  app.post('*', async (context) => {
    const bytes = Buffer.from(await context.req.arrayBuffer())
    const read = parsed(bytes.toString(), context.req.header())
    const signature = judge(scheme, context, { bytes, now: clock.now() })
    if (signature.kind === 'wrong' || signature.kind === 'unsigned') {
      return answer({ ...read, signature, ...ALONE, status: 401 })
    }
    if (read.problem !== null) return answer({ ...read, signature, ...ALONE, status: 400 })
    const scripted = respond[Math.min(answered, respond.length - 1)]
    answered += 1
    const forwarded = (await forwarder?.forward({ headers: context.req.header(), body: bytes })) ?? null
    const status = scripted ?? statusAfter(forwarded)
    const coming = seen.note({ id: context.req.header('webhook-id') ?? '', path: context.req.path }, status < 300)
    return answer({ ...read, signature, coming, forwarded, status })
  })
  app.all('*', (context) => context.text('Shipbell listens here for POST requests.\n', 405, { Allow: 'POST' }))
  return app
}

const ALONE = { coming: { kind: 'first' }, forwarded: null } as const
const TOO_LARGE: ReceivedDelivery = {
  signature: { kind: 'unverified' },
  body: '',
  payload: null,
  problem: 'a body above 1 MiB',
  ...ALONE,
  status: 413,
}

/** Nothing below 200 or above 599 can be answered. */
function statusAfter(forwarded: ForwardedAnswer | null): number {
  if (forwarded === null) return 200
  const { status } = forwarded
  return status !== null && status >= 200 && status <= 599 ? status : 502
}

function judge(
  scheme: SignatureScheme | null,
  { req }: Context,
  { bytes, now }: { readonly bytes: Buffer; readonly now: number },
): ReceivedDelivery['signature'] {
  if (scheme === null) return { kind: 'unverified' }
  return verifySignature(scheme, { header: (name) => req.header(name), body: bytes, now })
}

function parsed(body: string, headers: HeaderTexts): Pick<ReceivedDelivery, 'body' | 'payload' | 'problem'> {
  try {
    const payload: Json = JSON.parse(body)
    if (nestsDeeperThan(payload, DEEPEST)) return { body, payload: null, problem: 'JSON nested too deeply' }
    return { body, payload: 'ce-specversion' in headers ? cloudEventOf(headers, payload) : payload, problem: null }
  } catch {
    return { body, payload: null, problem: 'not JSON' }
  }
}

type HeaderTexts = Readonly<Record<string, string>>

/** A CloudEvent in binary mode, as it would be in structured mode. */
function cloudEventOf(headers: HeaderTexts, data: Json): Json {
  const attributes = Object.entries(headers).filter(([name]) => name.startsWith('ce-'))
  return { ...Object.fromEntries(attributes.map(([name, value]) => [name.slice('ce-'.length), decoded(value)])), data }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** More are forgotten, the oldest first. */
const MOST = 100_000
/** Longer ones are nobody's event ids or paths, and not worth the memory. */
const LONGEST = 500

/** How an event came: for the first time, after tries that were refused, or although it was taken already. */
type Coming = { readonly kind: 'first' } | { readonly kind: 'retry' | 'duplicate'; readonly times: number }

/** Remembers `webhook-id`s and how they were answered; each path stands for a receiver of its own. */
class SeenEvents {
  readonly #known = new Map<string, { readonly times: number; readonly taken: boolean }>()

  note({ id, path }: { readonly id: string; readonly path: string }, taken: boolean): Coming {
    const key = `${path} ${id}`
    if (id === '' || key.length > LONGEST) return { kind: 'first' }
    const before = this.#known.get(key)
    const times = (before?.times ?? 0) + 1
    this.#known.delete(key)
    this.#known.set(key, { times, taken: taken || before?.taken === true })
    const oldest = this.#known.size > MOST ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
    if (before === undefined) return { kind: 'first' }
    return { kind: before.taken ? 'duplicate' : 'retry', times }
  }
}
