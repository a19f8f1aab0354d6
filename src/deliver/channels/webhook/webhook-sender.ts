import { createHmac, sign } from 'node:crypto'
import { unescape } from 'node:querystring'
import { ShipbellError } from '../../../errors.ts'
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
import { parseSigningKey, type SigningKey } from '../../../model/signing-key.ts'
import type { WebhookChannel } from '../../../model/subscription.ts'
import { ONE_BY_ONE, type Batch } from '../../batches.ts'
import { documentPreview, type ChannelKindOf, type Preview } from '../channel-kind.ts'
import type { Channel, ChannelContext, Pace, SendOutcome } from '../channel.ts'
import { judgeAnswer } from '../judge-answer.ts'
import { Receiver, TLS_KEYS, type Posted } from '../receiver.ts'
import { Handshake } from './handshake.ts'

export const WEBHOOK: ChannelKindOf<WebhookChannel> = {
  open: (channel, context) => new WebhookSender(channel, context),
  preview: (channel, [{ event }]) => preview(channel, event),
  // Paths and queries may hold what only the receiver knows.
  outline: ({ format, payload, secrets, url }) => [
    { name: 'Posts to', value: new URL(url).origin },
    { name: 'Payload', value: payload },
    { name: 'Format', value: format },
    { name: 'Signed with', value: secrets.length === 1 ? 'one secret' : `${secrets.length} secrets` },
  ],
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
    const own = fixedHeaders(channel, context.version)
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
    const timestamp = Math.floor(this.#context.clock.now() / 1_000)
    const signature = this.#sign({ id: event.id, timestamp, body })
    const headers = {
      ...this.#headers,
      ...(this.#channel.format === 'cloudevents-binary'
        ? cloudEventHeaders(event, { ...this.#channel, truncated, placed: placedDelivery(delivery) })
        : {}),
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    }
    return { headers, body }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }
}

/** Headers that are the same on every attempt: the operator's own (a User-Agent too), then those of guarantee S1. */
function fixedHeaders({ headers, url, format }: WebhookChannel, version: string): Readonly<Record<string, string>> {
  const own = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  return Object.fromEntries([
    ['user-agent', `shipbell/${version}`],
    ...basicCredentials(new URL(url)),
    ...own,
    ['content-type', mediaType(format)],
  ])
}

/** User and password of a URL travel as Basic credentials (RFC 7617). */
function basicCredentials({ username, password }: URL): readonly [string, string][] {
  if (username === '' && password === '') return []
  const credentials = `${unescape(username)}:${unescape(password)}`
  return [['authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]]
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

interface SignedMessage {
  readonly id: string
  /** Time of the attempt, in seconds since the Unix epoch. */
  readonly timestamp: number
  /** The bytes sent. */
  readonly body: Buffer
}

/** The value of `webhook-signature` for a message. */
export type Signer = (message: SignedMessage) => string

/**
 * Standard Webhooks: a signature of `id.timestamp.body` per secret, separated by spaces; `v1` with a `whsec_` secret, `v1a`
 * with a `whsk_` key. Keys are prepared once. Throws `config_invalid` for anything else.
 */
export function createSigner(secrets: readonly string[]): Signer {
  const keys = secrets.map(signingKey)
  return (message) => keys.map((key) => signature(key, message)).join(' ')
}

function signature(signing: SigningKey, { id, timestamp, body }: SignedMessage): string {
  const head = `${id}.${timestamp}.`
  switch (signing.kind) {
    case 'v1':
      return `v1,${createHmac('sha256', signing.key).update(head).update(body).digest('base64')}`
    case 'v1a':
      return `v1a,${sign(null, Buffer.concat([Buffer.from(head), body]), signing.key).toString('base64')}`
    default:
      return signing satisfies never
  }
}

function signingKey(secret: string): SigningKey {
  const key = parseSigningKey(secret)
  if (key.kind === 'invalid') throw new ShipbellError('config_invalid', `A webhook's secret ${key.reason}.`)
  return key
}
