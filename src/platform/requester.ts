import type { Clock, LetOthers } from '../clock.ts'
import { HttpConnection } from '../http/connection.ts'
import { Deadline } from '../http/deadline.ts'
import { ACCEPTED_ENCODINGS, header, type Portion, type Received, type ReceivedAnswer } from '../http/exchange.ts'
import { describeFailure, isAnswer } from '../http/failure.ts'
import { ownLimitOf } from '../http/own-limits.ts'
import { viaProxy } from '../http/proxy/proxy-server.ts'
import type { Resolve } from '../http/names/name-resolver.ts'
import { formatDuration } from '../model/duration.ts'
import type { Exchange } from '../model/exchange.ts'
import type { ProxySettings, TlsSettings } from '../model/subscription.ts'
import { answerClock } from '../model/instant.ts'
import { AnswerAges, saidAge } from './answer-ages.ts'
import { bodyOf } from './charset.ts'
import type { PlatformAnswer } from './answer.ts'
import type { Method } from './endpoints.ts'
import { broken, type Failure } from './outcome.ts'
import type { Site } from './site.ts'

const WHOLE = { bytes: 64 * 1024 * 1024, of: 'whole' } as const
/** What is read of an answer that only its status decides. */
const BEGINNING = { bytes: 64 * 1024, of: 'beginning' } as const

const EXCERPTED_BYTES = 64 * 1024

export interface RequesterOptions {
  readonly site: Site
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Requests under way at once; more wait for a connection. */
  readonly concurrency: number
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** How TLS is spoken; left out or null: by the system's authorities, and without client certificate. */
  readonly tls?: TlsSettings | null | undefined
  /** The proxy that leads to the platform; left out or null: it is dialled from here. */
  readonly proxy?: ProxySettings | null | undefined
  /** Default: the process's. */
  readonly resolve?: Resolve | undefined
  /** Asked in the turn in which a request is written: `false` aborts it. Left out: each may be sent. */
  readonly mayWrite?: (() => boolean) | undefined
  /**
   * Awaited before a request is sent and before its answer is looked at: hundreds may be due, or come, in one turn of the event loop.
   * Left out: neither waits.
   */
  readonly letOthers?: LetOthers | undefined
}

const TLS_KEYS = { authority: 'name it in tls.ca', clientCertificate: 'see tls.cert' } as const

export interface WireRequest {
  readonly method: Method
  /** Below the path prefix of `base_url`. */
  readonly path: string
  /** JSON text; null: none. */
  readonly body: string | null
  /** An ETag that answers may be 304 to; left out or null: none. */
  readonly etag?: string | null
  /** Whether an answer with this status is worth nothing without its whole body. */
  readonly isDecidedByBody: (status: number) => boolean
}

interface Asked {
  readonly request: WireRequest
  readonly deadline: Deadline
}

/** Sends an account's requests, and says what was asked and answered when. */
export class Requester implements AsyncDisposable {
  readonly #options: RequesterOptions
  readonly #ages = new AnswerAges()
  readonly #connection: HttpConnection
  readonly #headersOfReads: Readonly<Record<string, string>>

  constructor(options: RequesterOptions) {
    const { site, timeoutMs, concurrency, clock, tls, proxy, resolve, mayWrite } = options
    const { origin } = site
    this.#options = options
    this.#headersOfReads = { ...options.headers, 'accept-encoding': ACCEPTED_ENCODINGS, 'cache-control': 'no-cache' }
    this.#connection = new HttpConnection({ origin, timeoutMs, concurrency, clock, tls, proxy, resolve, mayWrite })
  }

  /** One request. Throws an `AbortError` where `signal` aborts, this is disposed of or the request may not be sent. */
  async ask(request: WireRequest, signal?: AbortSignal): Promise<PlatformAnswer | Failure> {
    const { clock, letOthers, site, timeoutMs } = this.#options
    const begins = letOthers?.() ?? null
    if (begins !== null) await begins
    this.#throwIfAborted(signal)
    const { method, body } = request
    const path = site.prefix + request.path
    const portion = (status: number): Portion => (request.isDecidedByBody(status) ? WHOLE : BEGINNING)
    const headers = this.#headersOf(request)
    using deadline = new Deadline({ clock, timeoutMs, signal })
    const sentAt = clock.now()
    const received = await this.#connection.send(
      { path, method, body, headers, portion, decode: true, idempotent: method === 'GET' },
      deadline,
    )
    const exchange = this.#exchange({ method, path, sentAt }, received)
    if (received.flaw !== null) this.#throwIfAborted(signal)
    const answer = this.#judge(received, exchange, { deadline, request })
    const goesOn = letOthers?.() ?? null
    if (goesOn !== null) await goesOn
    return answer
  }

  #judge(received: Received, exchange: Exchange, { deadline, request }: Asked): PlatformAnswer | Failure {
    const { flaw } = received
    if (received.status === null) return this.#failure(received.flaw, exchange, deadline)
    if (flaw !== null && request.isDecidedByBody(received.status)) return this.#failure(flaw, exchange, deadline)
    return answerOf(received, exchange)
  }

  /** Ends every request under way with an `AbortError`, and every socket. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }

  #headersOf({ body, etag = null, method }: WireRequest): Readonly<Record<string, string>> {
    if (method === 'GET' && body === null && etag === null) return this.#headersOfReads
    const type = body === null ? {} : { 'content-type': 'application/json' }
    const known = etag === null ? {} : { 'if-none-match': etag }
    const anew = method === 'GET' ? { 'cache-control': 'no-cache' } : {}
    return { ...this.#options.headers, 'accept-encoding': ACCEPTED_ENCODINGS, ...anew, ...type, ...known }
  }

  #exchange(asked: Pick<Exchange, 'method' | 'path' | 'sentAt'>, received: Received): Exchange {
    const answeredAt = this.#options.clock.now()
    if (received.status === null) return { ...asked, answeredAt, status: null, bytes: 0 }
    const { bytes, headers, status } = received
    const ageMs = isContent(status) ? this.#ages.ageMs(headers, { sentAt: asked.sentAt, answeredAt }) : 0
    // A copy that is older than it says has the `Date` of when it was made, which says nothing of the clock now.
    const platformClock = ageMs > saidAge(headers) ? null : answerClock((name) => header(headers, name))
    return {
      ...asked,
      answeredAt,
      status,
      bytes,
      ...(ageMs === 0 ? {} : { ageMs }),
      ...(platformClock === null ? {} : { platformClock }),
    }
  }

  #failure(flaw: Error, exchange: Exchange, deadline: Deadline): Failure {
    const { site, timeoutMs, proxy } = this.#options
    const request = site.describe(exchange)
    const server = viaProxy(site.host, proxy)
    if (deadline.reached !== null) {
      const reason = `${server} did not complete an answer to ${request} within ${formatDuration(timeoutMs)}.`
      return { kind: 'unreachable', reason, exchange }
    }
    const facts = { server, target: site.host, request, ...TLS_KEYS, most: `${WHOLE.bytes / 1024 / 1024} MiB` }
    const reason = site.excerpt(describeFailure(flaw, 'platform', facts), 500)
    if (isAnswer(flaw)) return broken(reason, exchange)
    const lacks = ownLimitOf(flaw)
    return { kind: 'unreachable', reason, exchange, ...(lacks === null ? {} : { lacks }) }
  }

  #throwIfAborted(signal: AbortSignal | undefined): void {
    const isOver = signal?.aborted === true || this.#connection.closing.aborted
    if (!isOver && this.#options.mayWrite?.() !== false) return
    throw new DOMException('The request to the platform was aborted.', { name: 'AbortError', cause: signal?.reason })
  }
}

/** Whether an answer with this status comes from the platform: others are often a proxy's own. */
function isContent(status: number): boolean {
  return status === 200 || status === 304 || status === 404
}

function answerOf({ status, headers, chunks }: ReceivedAnswer, exchange: Exchange): PlatformAnswer {
  return {
    kind: 'answer',
    exchange,
    status,
    headers,
    chunks,
    get text() {
      return bodyOf({ headers, chunks }).bytes.toString('utf8')
    },
    get beginning() {
      return bodyOf({ headers, chunks: firstOf(chunks) }).bytes.toString('utf8')
    },
  }
}

/** The chunks that excerpts are made of; more is not decoded for them. */
function firstOf(chunks: readonly Buffer[]): readonly Buffer[] {
  const first: Buffer[] = []
  let left = EXCERPTED_BYTES
  for (const chunk of chunks) {
    if (left <= 0) break
    first.push(chunk.subarray(0, left))
    left -= chunk.length
  }
  return first
}
