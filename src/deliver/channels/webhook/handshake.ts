import { header } from '../../../http/exchange.ts'
import { Deadline } from '../../../http/deadline.ts'
import type { WebhookChannel } from '../../../model/subscription.ts'
import type { ChannelContext, Pace, SendOutcome } from '../channel.ts'
import type { HttpAnswer } from '../judge-answer.ts'
import type { Receiver } from '../receiver.ts'

interface Handshaking {
  readonly channel: WebhookChannel
  readonly context: Pick<ChannelContext, 'clock'>
  readonly receiver: Receiver
  /** The operator's own headers, above all what authorises. */
  readonly headers: Readonly<Record<string, string>>
}

/** What a receiver said of us; null: nothing. */
type Verdict = Extract<SendOutcome, { readonly kind: 'failed' }> | null

/** Longer than any receiver thinks about it: one that never answers it must not keep events for long. */
const LONGEST_MS = 5_000
/** Where `source` names no host. */
const NAMELESS = 'shipbell'
const MINUTE_MS = 60_000

/**
 * The validation handshake of HTTP 1.1 Web Hooks for Event Delivery (CloudEvents, section 4): before the first delivery the
 * receiver is asked whether it wants events of this sender, and how many a minute. Most receivers know nothing of it, and the
 * operator has named this one: so only the name of another sender is a refusal, and every other answer, or none, is not.
 */
export class Handshake {
  /** What every delivery carries, too. */
  readonly headers: Readonly<Record<string, string>>
  readonly #handshaking: Handshaking
  #asked: Promise<Verdict> | null = null
  #pace: Pace | null = null

  constructor(handshaking: Handshaking) {
    this.#handshaking = handshaking
    this.headers = { 'webhook-request-origin': originOf(handshaking.channel.source) }
  }

  /** How fast the receiver wants events; null: it has not said. */
  get pace(): Pace | null {
    return this.#pace
  }

  /**
   * Why a receiver may not be sent to; null: it may. Asks once; a receiver that refused, or could not be asked to the end, is
   * asked again.
   */
  async refusal(shutdown: AbortSignal): Promise<SendOutcome | null> {
    this.#asked ??= this.#ask(shutdown)
    const refusal = await this.#asked
    if (refusal !== null || shutdown.aborted) this.#asked = null
    return shutdown.aborted ? { kind: 'cut' } : refusal
  }

  async #ask(shutdown: AbortSignal): Promise<Verdict> {
    const { channel, context, receiver, headers } = this.#handshaking
    const { 'content-type': _, ...rest } = headers
    const timeoutMs = Math.min(LONGEST_MS, channel.timeoutMs)
    using deadline = new Deadline({ clock: context.clock, timeoutMs, signal: shutdown })
    const { pathname, search } = new URL(channel.url)
    const request = {
      method: 'OPTIONS',
      path: pathname + search,
      headers: { ...rest, ...this.headers },
      body: null,
    } as const
    try {
      return this.#judge(await receiver.exchange(request, deadline))
    } catch {
      // What is wrong with the way to it, the delivery itself will tell.
      return null
    }
  }

  #judge(answer: HttpAnswer): Verdict {
    const allowed = header(answer.headers, 'webhook-allowed-origin').trim()
    const ours = this.headers['webhook-request-origin'] ?? NAMELESS
    if (allowed !== '' && allowed !== '*' && allowed.toLowerCase() !== ours.toLowerCase()) {
      const error = `${this.#handshaking.receiver.origin} wants no events of ${ours}: its WebHook-Allowed-Origin names another sender; see \`source\``
      return { kind: 'failed', status: answer.status, answer: answer.body, error, retryAfterMs: null }
    }
    const rate = header(answer.headers, 'webhook-allowed-rate').trim()
    if (allowed !== '' && /^[1-9]\d{0,8}$/.test(rate)) this.#pace = { requests: Number(rate), perMs: MINUTE_MS }
    return null
  }
}

/** The host of an absolute `source`: a DNS name is what identifies a sender. */
function originOf(source: string | undefined): string {
  const host = source !== undefined && URL.canParse(source) ? new URL(source).hostname : ''
  return host === '' ? NAMELESS : host
}
