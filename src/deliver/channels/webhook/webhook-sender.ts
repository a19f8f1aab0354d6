import { cloudEventHeaders } from '../../../model/cloud-event.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import {
  payloadBody,
  type PayloadBytes,
  payloadBytes,
  type PayloadShape,
  placedDelivery,
  type ShownDelivery,
  subscriberPayload,
  truncating,
} from '../../../model/payload.ts'
import type { WebhookChannel } from '../../../model/subscription.ts'
import { ONE_BY_ONE, type Batch } from '../../batches.ts'
import { documentPreview, type ChannelKindOf, type Preview } from '../channel-kind.ts'
import type { Channel, ChannelContext, Pace, SendOutcome } from '../channel.ts'
import { judgeAnswer } from '../judge-answer.ts'
import { Receiver, TLS_KEYS, type Posted } from '../receiver.ts'
import { bodyFact, previewOfBody } from './body-preview.ts'
import { BodySender } from './body-sender.ts'
import { Handshake } from './handshake.ts'
import { createSigner, fixedHeaders, signedHeaders, type Signer } from './signing.ts'

export const WEBHOOK: ChannelKindOf<WebhookChannel> = {
  open: (channel, context) =>
    channel.body === undefined ? new WebhookSender(channel, context) : new BodySender(channel, channel.body, context),
  preview: (channel, [delivery], context) =>
    channel.body === undefined
      ? preview(channel, delivery.event)
      : previewOfBody({ channel, body: channel.body, delivery }, context),
  // Paths and queries may hold what only the receiver knows.
  outline: ({ body, format, payload, secrets, url }) => [
    { name: 'Posts to', value: new URL(url).origin },
    ...(body === undefined
      ? [
          { name: 'Payload', value: payload },
          { name: 'Format', value: format },
        ]
      : [bodyFact(body)]),
    { name: 'Signed with', value: signedWith(secrets) },
  ],
}

function signedWith({ length }: readonly string[]): string {
  if (length === 0) return 'nothing'
  return length === 1 ? 'one secret' : `${length} secrets`
}

function preview(channel: WebhookChannel, event: ShipbellEvent): Preview {
  const shown = documentPreview(payloadBody(event, channel))
  if (channel.format !== 'cloudevents-binary') return shown
  const { truncated } = payloadBytes(event, channel)
  const headers = Object.entries(cloudEventHeaders(event, { ...channel, truncated }))
  return { ...shown, text: `${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${shown.text}` }
}

/** RFC 9110 section 15.5.14. */
const CONTENT_TOO_LARGE = 413

/** Signed POSTs to one endpoint (guarantee S1). */
class WebhookSender implements Channel {
  readonly batchPolicy = ONE_BY_ONE
  readonly #channel: WebhookChannel
  readonly #context: ChannelContext
  readonly #headers: Readonly<Record<string, string>>
  readonly #sign: Signer
  readonly #receiver: Receiver
  /** The handshake of the format; null: it knows none. */
  readonly #handshake: Handshake | null

  constructor(channel: WebhookChannel, context: ChannelContext) {
    this.#channel = channel
    this.#context = context
    const own = fixedHeaders(channel, { version: context.version, contentType: mediaType(channel.format) })
    this.#sign = createSigner(channel.secrets)
    this.#receiver = new Receiver({ ...channel, remedies: TLS_KEYS, secrets: channel.hidden }, context)
    this.#handshake =
      channel.format === 'standard' ? null : new Handshake({ channel, context, receiver: this.#receiver, headers: own })
    this.#headers = { ...own, ...this.#handshake?.headers }
  }

  get pace(): Pace | null {
    return this.#handshake?.pace ?? null
  }

  async send([delivery]: Batch, shutdown: AbortSignal): Promise<SendOutcome> {
    const { clock, bodies } = this.#context
    const refusal = this.#handshake === null ? null : await this.#handshake.refusal(shutdown)
    if (refusal !== null) return refusal
    const payload = (shape: PayloadShape) => subscriberPayload(delivery, shape, (event, of) => bodies.of(event, of))
    const whole = payload(this.#channel)
    return await this.#receiver.post(this.#signed(delivery, whole), shutdown, (answer, { body }) => {
      const isTooLarge = answer.status === CONTENT_TOO_LARGE && this.#channel.payload === 'auto' && body === whole.bytes
      const instead = isTooLarge ? payload(truncating(this.#channel)) : whole
      if (instead.bytes.length < whole.bytes.length) return this.#signed(delivery, instead)
      return judgeAnswer(answer, this.#receiver.origin, clock.now())
    })
  }

  #signed(delivery: ShownDelivery, { bytes: body, truncated }: PayloadBytes): Posted {
    const { event } = delivery
    const headers = {
      ...this.#headers,
      ...(this.#channel.format === 'cloudevents-binary'
        ? cloudEventHeaders(event, { ...this.#channel, truncated, placed: placedDelivery(delivery) })
        : {}),
      ...signedHeaders({ id: event.id, body }, { sign: this.#sign, now: this.#context.clock.now() }),
    }
    return { headers, body }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }
}

/** JSON is UTF-8 (RFC 8259 section 8.1), so neither has a `charset`. */
function mediaType(format: WebhookChannel['format']): string {
  switch (format) {
    case 'standard':
    case 'cloudevents-binary':
      return 'application/json'
    case 'cloudevents':
      return 'application/cloudevents+json'
    default:
      return format satisfies never
  }
}
