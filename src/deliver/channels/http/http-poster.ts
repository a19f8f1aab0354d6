import { Pool } from 'undici'
import { formatDuration } from '../../../model/duration.ts'
import type { TlsSettings } from '../../../model/subscription.ts'
import { redact } from '../../../redact.ts'
import { guardedConnector } from '../../guard/guarded-connector.ts'
import type { ChannelContext, SendOutcome } from '../channel.ts'
import { AttemptLimit } from './attempt-limit.ts'
import { describeFailure } from './describe-failure.ts'
import { interimLimit } from './interim-limit.ts'
import type { HttpAnswer } from './judge-answer.ts'
import { readAnswer } from './read-answer.ts'
import { tlsOptions } from './tls-options.ts'

export interface HttpTarget {
  readonly url: string
  /** Deadline of one attempt. */
  readonly timeoutMs: number
  /** Connections at once. */
  readonly concurrency: number
  readonly tls: TlsSettings | null
  /** What kept answers and errors may not show, beyond the secrets of the context. */
  readonly secrets: readonly string[]
}

export interface HttpPost {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** POSTs to one URL over its own guarded keep-alive connections (contract section 6). Disposing of it drops them. */
export class HttpPoster implements AsyncDisposable {
  readonly #target: HttpTarget
  readonly #context: ChannelContext
  readonly #url: URL
  readonly #pool: Pool
  readonly #closing = new AbortController()

  constructor(target: HttpTarget, context: ChannelContext) {
    this.#target = target
    this.#context = context
    this.#url = new URL(target.url)
    this.#pool = new Pool(this.#url.origin, {
      connect: guardedConnector({
        ...context,
        timeoutMs: target.timeoutMs,
        signal: this.#closing.signal,
        tls: tlsOptions(target.tls),
      }),
      connections: target.concurrency,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** What may be said of the URL: neither path nor credentials. */
  get origin(): string {
    return this.#url.origin
  }

  /** One attempt, whose answer `judge` gets redacted. Never throws for what the endpoint or the network does. */
  async post(
    message: HttpPost,
    shutdown: AbortSignal,
    judge: (answer: HttpAnswer) => SendOutcome,
  ): Promise<SendOutcome> {
    const { clock } = this.#context
    using limit = new AttemptLimit({ clock, timeoutMs: this.#target.timeoutMs, shutdown })
    try {
      return judge(await this.#exchange(message, limit))
    } catch (error) {
      if (limit.reached === 'shutdown') return { kind: 'cut' }
      return { kind: 'failed', status: null, answer: null, error: this.#explain(error, limit), retryAfterMs: null }
    }
  }

  async #exchange({ headers, body }: HttpPost, limit: AttemptLimit): Promise<HttpAnswer> {
    const { pathname, search } = this.#url
    const message = { method: 'POST', path: pathname + search, headers, body } as const
    const answer = await limit.race(this.#pool.request({ ...message, signal: limit.signal, onInfo: interimLimit() }))
    const text = await readAnswer(answer.body)
    return { status: answer.statusCode, headers: answer.headers, body: text === null ? null : this.#redact(text) }
  }

  #redact(text: string): string {
    return redact(text, [...this.#target.secrets, ...this.#context.secrets()])
  }

  #explain(error: unknown, limit: AttemptLimit): string {
    if (limit.reached === null) return this.#redact(describeFailure(error, this.origin))
    return `${this.origin} did not answer within ${formatDuration(this.#target.timeoutMs)}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy()
    this.#closing.abort()
  }
}
