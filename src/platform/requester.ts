import type { Clock, LetOthers } from '../clock.ts'
import { HttpConnection } from '../http/connection.ts'
import { Deadline } from '../http/deadline.ts'
import {
  ACCEPTED_ENCODINGS,
  header,
  type Headers,
  type Portion,
  type Received,
  type ReceivedAnswer,
} from '../http/exchange.ts'
import { describeFailure, isAnswer } from '../http/failure.ts'
import type { Resolve } from '../http/names/name-resolver.ts'
import { ownLimitOf } from '../http/own-limits.ts'
import { viaProxy } from '../http/proxy/proxy-server.ts'
import { formatDuration } from '../model/duration.ts'
import type { Exchange } from '../model/exchange.ts'
import { answerClock } from '../model/instant.ts'
import type { ProxySettings, TlsSettings } from '../model/subscription.ts'
import { bodyOf, type PlatformAnswer } from './answer.ts'
import type { Method, Site } from './site.ts'
import { broken, type Failure } from './outcome.ts'

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

interface Arrival {
  readonly sentAt: number
  readonly answeredAt: number
}

/** The latest `Date` of the platform, and when the answer with it had arrived. */
interface Reference {
  readonly dateMs: number
  readonly arrivedAt: number
}

/** Answers in a row with an earlier `Date` that all differ as much from our clock. */
interface Steady {
  readonly count: number
  readonly since: number
  /** The least and the greatest difference. */
  readonly least: number
  readonly most: number
}

/** No copy is taken for older: a nonsensical `Age` must not hide what is answered for longer. */
const OLDEST_MS = 86_400_000
/** `Date` alone makes no answer older than this: clocks of machines that answer in turns may differ. */
const OLDEST_BY_DATE_MS = 3_600_000
/** `Date` comes in whole seconds, and answers that are made together arrive in any order. */
const TOLERANCE_MS = 3_000
/** After so many answers in a row with an earlier `Date`, the platform's clock was set back, or another machine answers. */
const MOST_BEHIND = 20
/**
 * How many answers are enough where their dates go on as our clock does, for so long: copies do not grow younger with the
 * time.
 */
const STEADY_BEHIND = 4
const STEADY_MS = 5_000

/**
 * How old answers are. A cache says so by `Age`. A cache without `Age` still sends the `Date` of when its copy was made, which is
 * compared only with other dates of the platform: an answer with an earlier `Date` than one that has already arrived was made
 * before that arrived, however wrong the platform's clock is. A clock that stands still makes no answer old.
 */
export class AnswerAges {
  #reference: Reference | null = null
  #behind = 0
  #steady: Steady | null = null

  /** 0: nothing says that it was not made when it was asked for. */
  ageMs(headers: Headers, arrival: Arrival): number {
    return Math.max(Math.min(saidAge(headers), OLDEST_MS), this.#ageByDate(headers, arrival))
  }

  #ageByDate(headers: Headers, { answeredAt, sentAt }: Arrival): number {
    const dateMs = Date.parse(header(headers, 'date'))
    if (Number.isNaN(dateMs)) return 0
    const reference = this.#reference
    if (reference === null || dateMs >= reference.dateMs) return this.#refer({ dateMs, arrivedAt: answeredAt })
    // The answer was asked for at the same time as the one that it is compared with, or before our clock was set back.
    if (sentAt < reference.arrivedAt) return 0
    this.#behind += 1
    this.#steady = follow(this.#steady, answeredAt, answeredAt - dateMs)
    if (this.#behind > MOST_BEHIND || isSetBack(this.#steady, answeredAt))
      return this.#refer({ dateMs, arrivedAt: answeredAt })
    const ageMs = sentAt - reference.arrivedAt + (reference.dateMs - dateMs)
    return ageMs <= TOLERANCE_MS ? 0 : Math.min(ageMs, OLDEST_BY_DATE_MS)
  }

  #refer(reference: Reference): 0 {
    this.#reference = reference
    this.#behind = 0
    this.#steady = null
    return 0
  }
}

function follow(before: Steady | null, at: number, differsBy: number): Steady {
  const least = Math.min(before?.least ?? differsBy, differsBy)
  const most = Math.max(before?.most ?? differsBy, differsBy)
  if (before === null || most - least > TOLERANCE_MS) return { count: 1, since: at, least: differsBy, most: differsBy }
  return { count: before.count + 1, since: before.since, least, most }
}

function isSetBack({ count, since }: Steady, now: number): boolean {
  return count >= STEADY_BEHIND && now - since >= STEADY_MS
}

/** By `Age`, which a cache adds; 0 where there is none, or it cannot be understood. */
function saidAge(headers: Headers): number {
  const age = header(headers, 'age').trim()
  return /^\d{1,10}$/.test(age) ? Number(age) * 1_000 : 0
}
