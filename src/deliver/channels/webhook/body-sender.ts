import { bodyOf, type RequestBody } from '../../../model/request-body.ts'
import type { WebhookChannel } from '../../../model/subscription.ts'
import { redact } from '../../../redact.ts'
import { ONE_BY_ONE, type Batch } from '../../batches.ts'
import type { Channel, ChannelContext, Pace, SendOutcome } from '../channel.ts'
import { judgeAnswer } from '../judge-answer.ts'
import { Receiver, TLS_KEYS } from '../receiver.ts'
import { createSigner, fixedHeaders, signedHeaders, type Signer } from './signing.ts'

/** After a template that passed its bound nothing else happened in this process for some tenths of a second. */
const SLOW: Pace = { requests: 1, perMs: 1_000 }

/** Bodies of the operator's own to one endpoint, signed where there is a secret. */
export class BodySender implements Channel {
  readonly batchPolicy = ONE_BY_ONE
  readonly #body: RequestBody
  readonly #context: ChannelContext
  readonly #headers: Readonly<Record<string, string>>
  /** What signs; null: nothing does. */
  readonly #sign: Signer | null
  readonly #receiver: Receiver
  /** What the channel may not show. */
  readonly #hidden: readonly string[]
  /** Whether the last body passed a bound. */
  #isSlow = false

  constructor(channel: WebhookChannel, body: RequestBody, context: ChannelContext) {
    this.#body = body
    this.#context = context
    this.#hidden = channel.hidden
    this.#headers = fixedHeaders(channel, { version: context.version, contentType: body.contentType })
    this.#sign = channel.secrets.length === 0 ? null : createSigner(channel.secrets)
    this.#receiver = new Receiver({ ...channel, remedies: TLS_KEYS, secrets: channel.hidden }, context)
  }

  get pace(): Pace | null {
    return this.#isSlow ? SLOW : null
  }

  async send([delivery]: Batch, shutdown: AbortSignal): Promise<SendOutcome> {
    if (shutdown.aborted) return { kind: 'cut' }
    const { clock, zoneOf } = this.#context
    const made = bodyOf(this.#body, delivery, zoneOf?.(delivery.event.account) ?? null)
    this.#isSlow = made.kind === 'unmade' && made.bound
    if (made.kind === 'unmade') return unsent(this.#redacted(unmadeSentence(this.#body, made)))
    const bytes = Buffer.from(made.text)
    const signed = signedHeaders({ id: delivery.event.id, body: bytes }, { sign: this.#sign, now: clock.now() })
    const posted = { method: this.#body.method, headers: { ...this.#headers, ...signed }, body: bytes }
    return await this.#receiver.post(posted, shutdown, (answer) =>
      judgeAnswer(answer, this.#receiver.origin, clock.now()),
    )
  }

  #redacted(text: string): string {
    return redact(redact(text, this.#hidden), this.#context.secrets())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }
}

/** Why there is nothing to be sent: `The body cannot be made: ops.liquid:3:12: …` */
export function unmadeSentence(
  { template }: RequestBody,
  { place, reason }: { readonly reason: string; readonly place: { readonly line: number; readonly column: number } },
): string {
  return `Nothing was sent, because the body cannot be made: ${template.file ?? 'template'}:${place.line}:${place.column}: ${reason}`
}

/** No attempt will fare better while the template is as it is, and the endpoint has no part in it. */
function unsent(error: string): SendOutcome {
  return { kind: 'failed', status: null, answer: null, error, retryAfterMs: null, permanent: true, unsent: true }
}
