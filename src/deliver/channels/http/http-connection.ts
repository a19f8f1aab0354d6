import type { Pool } from 'undici'
import type { TlsSettings } from '../../../model/subscription.ts'
import { keepAlivePool } from '../../../net/keep-alive-pool.ts'
import { OpenSockets } from '../../../net/open-sockets.ts'
import { redact } from '../../../redact.ts'
import { guardedConnector } from '../../guard/guarded-connector.ts'
import type { ChannelContext } from '../channel.ts'
import type { AttemptLimit } from './attempt-limit.ts'
import { describeFailure } from './describe-failure.ts'
import type { TlsRemedies } from './describe-tls-failure.ts'
import { HttpExchange } from './http-exchange.ts'
import type { HttpAnswer } from './judge-answer.ts'
import { tlsOptions } from './tls-options.ts'

export interface HttpTarget {
  readonly url: string
  /** Deadline of one attempt. */
  readonly timeoutMs: number
  /** Connections at once. */
  readonly concurrency: number
  /** null: the system's authorities, and no client certificate. */
  readonly tls: TlsSettings | null
  /** What an operator does where TLS fails. */
  readonly remedies: TlsRemedies
  /** What kept answers and errors may not show, beyond the secrets of the context. */
  readonly secrets: readonly string[]
}

export interface HttpMessage {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string | null
}

/** Guarded keep-alive connections to the origin of one URL (contract section 6). Disposing of it drops them. */
export class HttpConnection implements AsyncDisposable {
  /** What may be said of the URL: neither path nor credentials. */
  readonly origin: string
  readonly #target: HttpTarget
  readonly #context: ChannelContext
  readonly #pool: Pool
  readonly #sockets = new OpenSockets()
  readonly #closing = new AbortController()
  #hasAnswered = false

  constructor(target: HttpTarget, context: ChannelContext) {
    this.#target = target
    this.#context = context
    this.origin = new URL(target.url).origin
    this.#pool = keepAlivePool({
      origin: this.origin,
      connections: target.concurrency,
      connect: guardedConnector({
        ...context,
        timeoutMs: target.timeoutMs,
        sockets: this.#sockets,
        tls: tlsOptions(target.tls),
      }),
    })
  }

  /** Aborts once this closes. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** The answer, the beginning of its body kept and redacted; rejects where none came within the limit. */
  async exchange(message: HttpMessage, limit: AttemptLimit): Promise<HttpAnswer> {
    const exchange = new HttpExchange()
    limit.onCut((reason) => exchange.cut(reason))
    // An event has one id however often it comes, and a failed attempt would be repeated, too.
    if (limit.reached === null) this.#pool.dispatch({ ...message, idempotent: true }, exchange)
    const answer = await exchange.answer
    this.#hasAnswered = true
    return answer.body === null ? answer : { ...answer, body: this.#redact(answer.body) }
  }

  /** Why an exchange was rejected, in one sentence, redacted. */
  explain(error: unknown): string {
    const { origin } = this
    const { remedies } = this.#target
    return this.#redact(describeFailure({ error, origin, remedies, hasAnswered: this.#hasAnswered }))
  }

  #redact(text: string): string {
    return redact(redact(text, this.#target.secrets), this.#context.secrets())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.#sockets.close()
    await this.#pool.destroy()
  }
}
