import { formatDuration } from '../../../model/duration.ts'
import type { ChannelContext, SendOutcome } from '../channel.ts'
import { AttemptLimit } from './attempt-limit.ts'
import { HttpConnection, type HttpTarget } from './http-connection.ts'
import type { HttpAnswer } from './judge-answer.ts'

export interface HttpPost {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** POSTs to one URL over connections of its own (contract section 6). Disposing of it drops them. */
export class HttpPoster implements AsyncDisposable {
  readonly #timeoutMs: number
  readonly #context: ChannelContext
  readonly #path: string
  readonly #connection: HttpConnection

  constructor(target: HttpTarget, context: ChannelContext) {
    const { pathname, search } = new URL(target.url)
    this.#timeoutMs = target.timeoutMs
    this.#context = context
    this.#path = pathname + search
    this.#connection = new HttpConnection(target, context)
  }

  /** What may be said of the URL: neither path nor credentials. */
  get origin(): string {
    return this.#connection.origin
  }

  /** One attempt, whose answer `judge` gets redacted. Never throws for what the endpoint or the network does. */
  async post(
    message: HttpPost,
    shutdown: AbortSignal,
    judge: (answer: HttpAnswer) => SendOutcome,
  ): Promise<SendOutcome> {
    const { clock } = this.#context
    using limit = new AttemptLimit({ clock, timeoutMs: this.#timeoutMs, shutdown })
    try {
      return judge(await this.#connection.exchange({ method: 'POST', path: this.#path, ...message }, limit))
    } catch (error) {
      if (limit.reached === 'shutdown') return { kind: 'cut' }
      return { kind: 'failed', status: null, answer: null, error: this.#explain(error, limit), retryAfterMs: null }
    }
  }

  #explain(error: unknown, limit: AttemptLimit): string {
    if (limit.reached === null) return this.#connection.explain(error)
    return `${this.origin} did not answer within ${formatDuration(this.#timeoutMs)}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }
}
