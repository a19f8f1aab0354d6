import { Svix } from 'svix'
import { Pool } from 'undici'
import { channelSecrets } from '../../../model/channel-secrets.ts'
import type { SvixChannel } from '../../../model/subscription.ts'
import { redact } from '../../../redact.ts'
import { guardedConnector } from '../../guard/guarded-connector.ts'
import type { AttemptLimit } from '../http/attempt-limit.ts'
import type { ChannelContext } from '../channel.ts'
import { interimLimit } from '../http/interim-limit.ts'
import type { HttpAnswer } from '../http/judge-answer.ts'
import { readAnswer } from '../http/read-answer.ts'
import { tlsOptions } from '../http/tls-options.ts'

/** One request to the Svix server. */
export type SvixCall = (svix: Svix) => Promise<unknown>

/** The API of one Svix server, over guarded connections of its own. */
export class SvixServer implements AsyncDisposable {
  readonly #channel: SvixChannel
  readonly #context: ChannelContext
  readonly #pool: Pool
  readonly #closing = new AbortController()

  constructor(channel: SvixChannel, context: ChannelContext) {
    this.#channel = channel
    this.#context = context
    this.#pool = new Pool(this.origin, {
      connect: guardedConnector({
        ...context,
        timeoutMs: channel.timeoutMs,
        signal: this.#closing.signal,
        tls: tlsOptions(null),
      }),
      connections: channel.concurrency,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  get origin(): string {
    return new URL(this.#channel.server).origin
  }

  /** Aborts once this closes. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /**
   * What the server answered, redacted; rejects where no answer came. What the client makes of an answer is not looked at: it
   * throws for every body that is not the JSON it expects, and then the status would be lost.
   */
  async ask(call: SvixCall, limit: AttemptLimit): Promise<HttpAnswer> {
    const answers: HttpAnswer[] = []
    const { token, server } = this.#channel
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const answer = await this.#exchange(new URL(input instanceof Request ? input.url : input), init ?? {}, limit)
      answers.push(answer)
      return new Response(answer.body, { status: answer.status })
    }
    // An empty schedule is what switches the client's own retries off: it takes `numRetries: 0` for its default of two.
    const svix = new Svix(token, { serverUrl: server, fetch, retryScheduleInMs: [] })
    const failure: unknown = await call(svix).then(
      () => null,
      (error: unknown) => error,
    )
    const [answer] = answers
    if (answer === undefined) throw failure
    return answer
  }

  async #exchange({ pathname, search }: URL, init: RequestInit, limit: AttemptLimit): Promise<HttpAnswer> {
    const { statusCode, headers, body } = await limit.race(
      this.#pool.request({
        method: init.method === 'GET' ? 'GET' : 'POST',
        path: pathname + search,
        headers: Object.fromEntries(new Headers(init.headers)),
        body: typeof init.body === 'string' ? init.body : null,
        signal: limit.signal,
        onInfo: interimLimit(),
      }),
    )
    const text = await readAnswer(body)
    return { status: statusCode, headers, body: text === null ? null : this.redact(text) }
  }

  redact(text: string): string {
    return redact(text, [...channelSecrets(this.#channel), ...this.#context.secrets()])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#pool.destroy()
  }
}
