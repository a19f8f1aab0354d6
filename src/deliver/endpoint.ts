import type { Cooldown } from '../model/attempt-result.ts'
import type { Subscription } from '../model/subscription.ts'
import type { WaitStore } from '../store/ports/delivery-port.ts'
import type { Batch, BatchPolicy } from './batches.ts'
import type { Channel, ChannelContext, Pace, SendOutcome } from './channels/channel.ts'
import { zoneFor } from './channels/message-renderer.ts'
import { quietPolicy } from './quiet-policy.ts'
import { sinceTold } from './since-told.ts'

/** A channel in use. Once retired it closes as soon as its attempts under way have ended. */
export class Endpoint implements AsyncDisposable {
  readonly settings: Subscription['channel']
  readonly batchPolicy: BatchPolicy
  readonly #channel: Channel
  #sending = 0
  #retired = false

  /** Quiet hours hold for whatever people read, on the clocks that `zoneOf` knows where the subscription names none. */
  constructor(settings: Subscription['channel'], channel: Channel, zoneOf?: ChannelContext['zoneOf']) {
    this.settings = settings
    this.#channel = channel
    this.batchPolicy = policyOf(settings, channel.batchPolicy, zoneOf)
  }

  /** Whether the channel looks at what waits and chooses; otherwise each delivery is sent as it comes. */
  get looksFirst(): boolean {
    return this.batchPolicy.most > 1 || this.address !== null
  }

  /** The address that may ask to be left alone; null: nothing that the endpoint sends to does. */
  get address(): string | null {
    return this.#channel.address ?? null
  }

  /** How fast the endpoint wants events, once it has said so. */
  get pace(): Pace | null {
    return this.#channel.pace ?? null
  }

  async send(batch: Batch, signal: AbortSignal): Promise<SendOutcome> {
    this.#sending += 1
    try {
      return this.#ofRetired(await this.#channel.send(this.#asRead(batch), signal))
    } finally {
      this.#sending -= 1
      if (this.#retired) await this.#closeIfIdle()
    }
  }

  /** People read how far a date went since they were told. */
  #asRead(batch: Batch): Batch {
    if (!('language' in this.settings)) return batch
    const [first, ...rest] = batch
    return [sinceTold(first), ...rest.map(sinceTold)]
  }

  /** A 410 of an address that is no longer configured disables nothing: the delivery goes to the new address. */
  #ofRetired(outcome: SendOutcome): SendOutcome {
    return outcome.kind === 'gone' && this.#retired ? { ...outcome, kind: 'failed', retryAfterMs: null } : outcome
  }

  async retire(): Promise<void> {
    this.#retired = true
    await this.#closeIfIdle()
  }

  async #closeIfIdle(): Promise<void> {
    if (this.#sending === 0) await this[Symbol.asyncDispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#channel[Symbol.asyncDispose]()
  }
}

function policyOf(
  settings: Subscription['channel'],
  policy: BatchPolicy,
  zoneOf: ChannelContext['zoneOf'],
): BatchPolicy {
  if (!('quiet' in settings) || settings.quiet === null) return policy
  return quietPolicy(policy, { quiet: settings.quiet, zoneOf: (account) => zoneFor(settings, account, zoneOf) })
}

/** Which addresses asked to be left alone: this binds every subscription that sends there, and the next process too. */
export class Cooldowns {
  readonly #until = new Map<string, number>()
  #recalled = false

  /** Reads, once, the cooldowns that earlier processes were asked for. */
  async recall(store: Pick<WaitStore, 'waits'>): Promise<void> {
    if (this.#recalled) return
    const { cooldowns } = await store.waits()
    for (const cooldown of cooldowns) this.begin(cooldown)
    this.#recalled = true
  }

  begin({ address, until }: Cooldown): void {
    this.#until.set(address, Math.max(until, this.#until.get(address) ?? 0))
  }

  /** The instant until which an address wants nothing; null: it has no cooldown. */
  until(address: string | null, now: number): number | null {
    const until = address === null ? undefined : this.#until.get(address)
    return until !== undefined && until > now ? until : null
  }
}
