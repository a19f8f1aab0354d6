import Pool from 'undici/lib/dispatcher/pool.js'
import type { Clock } from '../clock.ts'
import { formatDuration } from '../model/duration.ts'
import { answerClock } from '../model/http-date.ts'
import { header, type Answer } from './answer.ts'
import { describeConnectionFailure, isProtocolError } from './connection-failure.ts'
import { broken } from './broken.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import type { Method } from './endpoints.ts'
import type { Exchange } from '../model/exchange.ts'
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
  readonly #closing = new AbortController()
  readonly #pool: Pool

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#pool = new Pool(options.site.origin, {
      connections: options.concurrency,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      // Without the signal, a socket that hangs in connecting would keep a closed process alive.
      connect: { timeout: options.timeoutMs, signal: this.#closing.signal },
    })
  }

  /** One request. Throws an `AbortError` where `signal` aborts or the connection is closed before the answer is whole. */
  async ask(request: WireRequest, signal?: AbortSignal): Promise<Answer | Failure> {
    if (signal?.aborted === true || this.#closing.signal.aborted) throw aborted(signal)
    const { clock, timeoutMs } = this.#options
    const path = this.#options.site.prefix + request.path
    const transfer = new Transfer((status) => (request.isDecidedByBody(status) ? LARGEST_ANSWER : LARGEST_REFUSAL))
    const deadline = startDeadline(timeoutMs, signal, () => transfer.cut(aborted(signal)))
    const asked = { method: request.method, path, sentAt: clock.now() }
    this.#pool.dispatch(
      { path, method: request.method, body: request.body, headers: this.#headersOf(request) },
      transfer,
    )
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
    this.#closing.abort()
    await this.#pool.destroy()
  }

  #headersOf({ body, etag = null }: WireRequest): Record<string, string> {
    const type = body === null ? {} : { 'content-type': 'application/json' }
    const known = etag === null ? {} : { 'if-none-match': etag }
    return { ...this.#options.headers, 'accept-encoding': ACCEPTED_ENCODINGS, ...type, ...known }
  }

  #exchange(
    asked: Pick<Exchange, 'method' | 'path' | 'sentAt'>,
    { bytes, headers, status }: Pick<Transferred, 'bytes' | 'headers' | 'status'>,
  ): Exchange {
    const platformClock = answerClock((name) => header(headers, name))
    const exchange = { ...asked, answeredAt: this.#options.clock.now(), status, bytes }
    return platformClock === null ? exchange : { ...exchange, platformClock }
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
        if (isProtocolError(flaw.error))
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
    if (signal?.aborted === true || this.#closing.signal.aborted) throw aborted(signal)
  }
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
