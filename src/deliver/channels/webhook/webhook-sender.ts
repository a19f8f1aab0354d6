import type { WebhookChannel } from '../../../model/subscription.ts'
import { ONE_BY_ONE, type Batch } from '../../batches.ts'
import type { Channel, ChannelContext, SendOutcome } from '../channel.ts'
import { TLS_KEYS } from '../http/describe-tls-failure.ts'
import { HttpPoster } from '../http/http-poster.ts'
import { judgeAnswer } from '../http/judge-answer.ts'
import { fixedHeaders } from './request-headers.ts'
import { createSigner, type Signer } from './signer.ts'

/** Signed POSTs to one endpoint (contract section 6). */
export class WebhookSender implements Channel {
  readonly batchPolicy = ONE_BY_ONE
  readonly #channel: WebhookChannel
  readonly #context: ChannelContext
  readonly #headers: Readonly<Record<string, string>>
  readonly #sign: Signer
  readonly #poster: HttpPoster

  constructor(channel: WebhookChannel, context: ChannelContext) {
    this.#channel = channel
    this.#context = context
    this.#headers = fixedHeaders(channel, context.version)
    this.#sign = createSigner(channel.secrets)
    this.#poster = new HttpPoster({ ...channel, remedies: TLS_KEYS, secrets: channel.hidden }, context)
  }

  async send([{ event, objectJson }]: Batch, shutdown: AbortSignal): Promise<SendOutcome> {
    const { clock, bodies } = this.#context
    const body = bodies.of(event, this.#channel, objectJson)
    const timestamp = Math.floor(clock.now() / 1_000)
    const signature = this.#sign({ id: event.id, timestamp, body })
    const headers = {
      ...this.#headers,
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    }
    return await this.#poster.post({ headers, body }, shutdown, (answer) =>
      judgeAnswer(answer, this.#poster.origin, clock.now()),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#poster[Symbol.asyncDispose]()
  }
}
