import { Pool } from 'undici'
import { formatDuration } from '../../../model/duration.ts'
import { channelSecrets } from '../../../model/channel-secrets.ts'
import type { WebhookChannel } from '../../../model/subscription.ts'
import { redact } from '../../../redact.ts'
import { ONE_BY_ONE, type Parcel } from '../../parcels.ts'
import { guardedConnector } from '../../guard/guarded-connector.ts'
import { AttemptLimit } from '../attempt-limit.ts'
import type { Channel, ChannelContext, SendOutcome } from '../channel.ts'
import { describeFailure } from './describe-failure.ts'
import { interimLimit } from './interim-limit.ts'
import { judgeAnswer, type HttpAnswer } from './judge-answer.ts'
import { readAnswer } from './read-answer.ts'
import { fixedHeaders } from './request-headers.ts'
import { createSigner, type Signer } from './signer.ts'
import { tlsOptions } from './tls-options.ts'

/** Signed POSTs to one endpoint over its own keep-alive connections (contract section 6). */
export class WebhookSender implements Channel {
  readonly packing = ONE_BY_ONE
  readonly #channel: WebhookChannel
  readonly #context: ChannelContext
  readonly #target: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #secrets: readonly string[]
  readonly #sign: Signer
  readonly #pool: Pool
  readonly #closing = new AbortController()

  constructor(channel: WebhookChannel, context: ChannelContext) {
    this.#channel = channel
    this.#context = context
    this.#target = new URL(channel.url)
    this.#headers = fixedHeaders(channel, context.version)
    this.#secrets = channelSecrets(channel)
    this.#sign = createSigner(channel.secrets)
    this.#pool = new Pool(this.#target.origin, {
      connect: guardedConnector({
        ...context,
        timeoutMs: channel.timeoutMs,
        signal: this.#closing.signal,
        tls: tlsOptions(channel.tls),
      }),
      connections: channel.concurrency,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  async send([{ event }]: Parcel, shutdown: AbortSignal): Promise<SendOutcome> {
    const { clock, bodies } = this.#context
    const { timeoutMs } = this.#channel
    const body = bodies.of(event, this.#channel)
    const timestamp = Math.floor(clock.now() / 1_000)
    const signature = this.#sign({ id: event.id, timestamp, body })
    const headers = {
      ...this.#headers,
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    }
    using limit = new AttemptLimit({ clock, timeoutMs, shutdown })
    try {
      const answer = await this.#exchange(headers, body, limit)
      return judgeAnswer(answer, this.#target.origin, clock.now())
    } catch (error) {
      if (limit.reached === 'shutdown') return { kind: 'cut' }
      return { kind: 'failed', status: null, answer: null, error: this.#explain(error, limit), retryAfterMs: null }
    }
  }

  async #exchange(headers: Readonly<Record<string, string>>, body: Buffer, limit: AttemptLimit): Promise<HttpAnswer> {
    const { pathname, search } = this.#target
    const message = { method: 'POST', path: pathname + search, headers, body } as const
    const answer = await limit.race(this.#pool.request({ ...message, signal: limit.signal, onInfo: interimLimit() }))
    const text = await readAnswer(answer.body)
    return { status: answer.statusCode, headers: answer.headers, body: text === null ? null : this.#redact(text) }
  }

  #redact(text: string): string {
    return redact(text, [...this.#secrets, ...this.#context.secrets()])
  }

  #explain(error: unknown, limit: AttemptLimit): string {
    const { origin } = this.#target
    if (limit.reached === null) return this.#redact(describeFailure(error, origin))
    return `${origin} did not answer within ${formatDuration(this.#channel.timeoutMs)}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy()
    this.#closing.abort()
  }
}
