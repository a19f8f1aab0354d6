import type { Pool } from 'undici'
import type { Clock } from '../clock.ts'
import { formatDuration } from '../model/duration.ts'
import { answerClock } from '../model/instant.ts'
import { keepAlivePool } from '../net/keep-alive-pool.ts'
import { OpenSockets } from '../net/open-sockets.ts'
import { describeProtocolFailure, isUnreadable } from '../net/protocol-failure.ts'
import { socketConnector } from '../net/socket-connector.ts'
import { header, type Answer } from './answer.ts'
import { AnswerAges, saidAge } from './answer-ages.ts'
import { describeConnectionFailure } from './connection-failure.ts'
import { broken } from './broken.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import type { Method } from './endpoints.ts'
import type { Exchange } from '../model/exchange.ts'
import { lookupBy } from '../names/lookup-by.ts'
import type { Resolve } from '../names/resolve.ts'
import { systemNames } from '../names/system-names.ts'
import type { Failure } from './outcome.ts'
import { ACCEPTED_ENCODINGS } from './decoder-of.ts'
import { Transfer, type Flaw, type Transferred } from './transfer.ts'
import type { Site } from './site.ts'

const LARGEST_ANSWER = 64 * 1024 * 1024
/** Of an answer that only its status decides, no more than this is read. */
const LARGEST_REFUSAL = 64 * 1024

export interface ConnectionOptions {
  readonly site: Site
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Requests under way at once; more wait for a socket. */
  readonly concurrency: number
  readonly clock: Pick<Clock, 'now'>
  /** Default: the process's. */
  readonly resolve?: Resolve | undefined
}

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

/** A keep-alive pool to one host, ignoring proxy variables and following no redirect. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #ages = new AnswerAges()
  readonly #sockets = new OpenSockets()
  readonly #pool: Pool
  #isClosed = false

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#pool = keepAlivePool({
      origin: options.site.origin,
      connections: options.concurrency,
      connect: socketConnector(
        { timeout: options.timeoutMs, allowH2: false, lookup: lookupBy(options.resolve ?? systemNames.resolve) },
        this.#sockets,
      ),
    })
  }

  /** One request. Throws an `AbortError` where `signal` aborts or the connection is closed before the answer is whole. */
  async ask(request: WireRequest, signal?: AbortSignal): Promise<Answer | Failure> {
    if (signal?.aborted === true || this.#isClosed) throw aborted(signal)
    const { clock, timeoutMs } = this.#options
    const path = this.#options.site.prefix + request.path
    const transfer = new Transfer((status) => (request.isDecidedByBody(status) ? LARGEST_ANSWER : LARGEST_REFUSAL))
    const deadline = startDeadline(timeoutMs, signal, () => transfer.cut(aborted(signal)))
    const { method, body } = request
    const asked = { method, path, sentAt: clock.now() }
    const wanted = { path, method, body, headers: this.#headersOf(request), idempotent: method === 'GET' }
    this.#pool.dispatch(wanted, transfer)
    const transferred = await transfer.done
    deadline.end()
    const { chunks, flaw, headers, status } = transferred
    const exchange = this.#exchange(asked, transferred)
    if (flaw?.kind === 'cut') this.#throwIfAborted(signal)
    if (flaw !== null && (status === null || request.isDecidedByBody(status))) {
      return this.#unusable(flaw, exchange, deadline)
    }
    return answerOf({ exchange, status: status ?? 0, headers, chunks })
  }

  /** Ends every request under way with an `AbortError`, and every socket. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#sockets.close()
    await this.#pool.destroy()
  }

  #headersOf({ body, etag = null, method }: WireRequest): Record<string, string> {
    const type = body === null ? {} : { 'content-type': 'application/json' }
    const known = etag === null ? {} : { 'if-none-match': etag }
    const anew = method === 'GET' ? { 'cache-control': 'no-cache' } : {}
    return { ...this.#options.headers, 'accept-encoding': ACCEPTED_ENCODINGS, ...anew, ...type, ...known }
  }

  #exchange(
    asked: Pick<Exchange, 'method' | 'path' | 'sentAt'>,
    { bytes, headers, status }: Pick<Transferred, 'bytes' | 'headers' | 'status'>,
  ): Exchange {
    const answeredAt = this.#options.clock.now()
    const ageMs =
      status === null || !isContent(status) ? 0 : this.#ages.ageMs(headers, { sentAt: asked.sentAt, answeredAt })
    // A copy that is older than it says is dated by when it was made: that says nothing of what the clock says now.
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

  #unusable(flaw: Flaw, exchange: Exchange, deadline: Deadline): Failure {
    const { site, timeoutMs } = this.#options
    const request = site.describe(exchange)
    switch (flaw.kind) {
      case 'oversized':
        return broken(`${site.host} answered ${request} with more than ${LARGEST_ANSWER / 1024 / 1024} MiB.`, exchange)
      case 'undecodable':
        return broken(
          `${site.host} answered ${request} with a body that cannot be decoded as ${site.excerpt(flaw.encoding, 20)}.`,
          exchange,
        )
      case 'cut': {
        const named = describeProtocolFailure(flaw.error)
        if (named !== null) return broken(`${site.host} ${named} (${request}); check base_url.`, exchange)
        if (isUnreadable(flaw.error))
          return broken(`${site.host} answered ${request} with something that is not HTTP.`, exchange)
        const reason = deadline.hasPassed()
          ? `${site.host} did not complete an answer to ${request} within ${formatDuration(timeoutMs)}.`
          : `${site.host} ${describeConnectionFailure(flaw.error)} at ${request}; check base_url and the network.`
        return { kind: 'unreachable', reason: site.excerpt(reason, 500), exchange }
      }
      default:
        return flaw satisfies never
    }
  }

  #throwIfAborted(signal: AbortSignal | undefined): void {
    if (signal?.aborted === true || this.#isClosed) throw aborted(signal)
  }
}

/** Whether an answer with this status tells of the platform's data: others are often a proxy's own. */
function isContent(status: number): boolean {
  return status === 200 || status === 304 || status === 404
}

function answerOf(answer: Pick<Answer, 'exchange' | 'status' | 'headers' | 'chunks'>): Answer {
  return {
    kind: 'answer',
    ...answer,
    get text() {
      return Buffer.concat(answer.chunks).toString('utf8')
    },
  }
}

function aborted(signal?: AbortSignal): DOMException {
  return new DOMException('The request to the platform was aborted.', { name: 'AbortError', cause: signal?.reason })
}
