import type { ChannelSettings } from '../model/subscription.ts'
import type { Batch, BatchPolicy, TellableDelivery } from './batches.ts'
import { batchPolicyOf, messageCounter } from './channels/channel-kinds.ts'

/** A delivery that is counted. */
export interface CountedDelivery {
  readonly rangAt: number
  /** The instant until which the delivery is put off (`putOffUntil`); null: it is not. */
  readonly until: number | null
  readonly shown: (withShipment: boolean) => TellableDelivery
}

/**
 * How many messages a channel makes of deliveries that come one after another and all arrive: by the batches that it makes of what waits, in
 * the time in which the deliveries rang.
 */
export class MessageCount {
  readonly #policy: BatchPolicy
  readonly #messagesOf: ReturnType<typeof messageCounter>
  /** What is put off, by the instant until which it is: how much of it is counted, and what is counted at the end alone. */
  readonly #late = new Map<number, { amount: number; readonly kept: TellableDelivery[] }>()
  #waiting: TellableDelivery[] = []
  /** Before this instant nothing that waits goes; null: nothing waits. */
  #waitUntil: number | null = null
  #now = Number.NEGATIVE_INFINITY
  #messages = 0

  constructor(channel: ChannelSettings) {
    this.#policy = batchPolicyOf(channel)
    this.#messagesOf = messageCounter(channel)
  }

  /** A delivery, in the order in which they rang. `shown` makes what messages look at, of its shipment where they do. */
  add({ rangAt, shown, until }: CountedDelivery): void {
    if (this.#policy.most === 1) {
      this.#messages += 1
      return
    }
    if (rangAt > this.#now) this.#goOnTo(rangAt)
    const delivery = (): TellableDelivery => shown(this.#messagesOf !== null)
    if (until !== null) this.#putOff(delivery, until)
    else {
      this.#waiting.push(delivery())
      // What comes later makes nothing due earlier that waits.
      this.#waitUntil ??= this.#now
    }
  }

  /** The messages, once nothing more comes. */
  end(): number {
    this.#goOnTo(Number.POSITIVE_INFINITY)
    return this.#messages
  }

  /** All that is put off to one instant goes together, as much of it at once as the channel takes. */
  #putOff(delivery: () => TellableDelivery, until: number): void {
    const late = this.#late.get(until) ?? { amount: 0, kept: [] }
    this.#late.set(until, late)
    if (this.#messagesOf !== null) late.kept.push(delivery())
    else if (late.amount % this.#policy.most === 0) this.#messages += 1
    late.amount += 1
  }

  /** Makes the messages that go before an instant. */
  #goOnTo(instant: number): void {
    while (this.#waitUntil !== null && this.#waitUntil < instant) this.#lookAt(this.#waitUntil)
    for (const [until, { kept }] of this.#late) {
      if (until > instant) continue
      this.#late.delete(until)
      this.#count(kept)
    }
    this.#now = instant
  }

  #lookAt(now: number): void {
    const looked = this.#waiting.slice(0, this.#policy.most)
    const { batches, waitUntil } = this.#policy.form(looked, { now, forced: false })
    this.#send(batches)
    if (this.#waiting.length === 0) this.#waitUntil = null
    else if (batches.length > 0) this.#waitUntil = now
    else this.#waitUntil = Math.max(waitUntil ?? 0, now + 1)
  }

  #send(batches: readonly Batch<TellableDelivery>[]): void {
    if (batches.length === 0) return
    const sent = new Set(batches.flat())
    this.#waiting = this.#waiting.filter((delivery) => !sent.has(delivery))
    for (const batch of batches) this.#count(batch)
  }

  #count([first, ...rest]: readonly TellableDelivery[]): void {
    if (first === undefined) return
    this.#messages += this.#messagesOf?.([first, ...rest]) ?? 1
  }
}
