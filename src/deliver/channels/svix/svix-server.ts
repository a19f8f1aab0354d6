import type { Svix } from 'svix'
import type { SvixChannel } from '../../../model/subscription.ts'
import type { ChannelContext } from '../channel.ts'
import type { AttemptLimit } from '../http/attempt-limit.ts'
import { SYSTEM_TLS } from '../http/describe-tls-failure.ts'
import { HttpConnection } from '../http/http-connection.ts'
import type { HttpAnswer } from '../http/judge-answer.ts'

/** One request to the Svix server. */
export type SvixCall = (svix: Svix) => Promise<unknown>

/** The API of one Svix server, over connections of its own. */
export class SvixServer implements AsyncDisposable {
  readonly #channel: SvixChannel
  readonly #connection: HttpConnection

  constructor(channel: SvixChannel, context: ChannelContext) {
    this.#channel = channel
    const { server: url, timeoutMs, concurrency } = channel
    const target = { url, timeoutMs, concurrency, tls: null, remedies: SYSTEM_TLS, secrets: channel.hidden }
    this.#connection = new HttpConnection(target, context)
  }

  get origin(): string {
    return this.#connection.origin
  }

  /** Aborts once this closes. */
  get closing(): AbortSignal {
    return this.#connection.closing
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
    // Few send to Svix: its client is loaded by the first who does.
    const { Svix } = await import('svix')
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
    const message = {
      method: init.method === 'GET' ? 'GET' : 'POST',
      path: pathname + search,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : null,
    } as const
    return await this.#connection.exchange(message, limit)
  }

  /** Why `ask` was rejected, in one sentence, redacted. */
  explain(error: unknown): string {
    return this.#connection.explain(error)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }
}
