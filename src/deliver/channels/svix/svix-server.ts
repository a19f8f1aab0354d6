import type { Svix } from 'svix'
import type { Deadline } from '../../../http/deadline.ts'
import type { SvixChannel } from '../../../model/subscription.ts'
import type { ChannelContext } from '../channel.ts'
import type { HttpAnswer } from '../judge-answer.ts'
import { Receiver, SYSTEM_TLS } from '../receiver.ts'

/** One request to the Svix server. */
export type SvixCall = (svix: Svix) => Promise<unknown>

/** The API of one Svix server, over connections of its own. */
export class SvixServer implements AsyncDisposable {
  readonly #channel: SvixChannel
  readonly #receiver: Receiver

  constructor(channel: SvixChannel, context: ChannelContext) {
    this.#channel = channel
    const { server: url, proxy, timeoutMs, concurrency } = channel
    const target = { url, timeoutMs, concurrency, proxy, tls: null, remedies: SYSTEM_TLS, secrets: channel.hidden }
    this.#receiver = new Receiver(target, context)
  }

  get origin(): string {
    return this.#receiver.origin
  }

  /** Aborts once this closes. */
  get closing(): AbortSignal {
    return this.#receiver.closing
  }

  /**
   * What the server answered, redacted; rejects where no answer came. What the client makes of an answer is not looked at: it
   * throws for every body that is not the JSON it expects, and then the status would be lost.
   */
  async ask(call: SvixCall, deadline: Deadline): Promise<HttpAnswer> {
    const answers: HttpAnswer[] = []
    const { token, server } = this.#channel
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const answer = await this.#exchange(new URL(input instanceof Request ? input.url : input), init ?? {}, deadline)
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

  async #exchange({ pathname, search }: URL, init: RequestInit, deadline: Deadline): Promise<HttpAnswer> {
    const message = {
      method: init.method === 'GET' || init.method === 'PATCH' ? init.method : 'POST',
      path: pathname + search,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : null,
    } as const
    return await this.#receiver.exchange(message, deadline)
  }

  /** Why `ask` was rejected, in one sentence, redacted. */
  explain(error: unknown): string {
    return this.#receiver.explain(error)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }
}
