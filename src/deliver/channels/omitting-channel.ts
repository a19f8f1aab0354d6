import { withoutOmitted, type LeftOut } from '../../model/omit.ts'
import type { ClaimedDelivery } from '../../store/ports/delivery-port.ts'
import type { Batch, BatchPolicy } from '../batches.ts'
import type { Channel, Pace, SendOutcome } from './channel.ts'

/** A batch whose events are without what a subscription leaves out of records. */
export function batchWithout(batch: Batch, omit: LeftOut): Batch {
  const [first, ...rest] = batch
  const bare = (delivery: ClaimedDelivery): ClaimedDelivery => ({
    ...delivery,
    event: withoutOmitted(delivery.event, omit),
  })
  return [bare(first), ...rest.map(bare)]
}

/** The channel of a subscription that leaves something out of records: whatever kind it is, it is never shown that. */
export class OmittingChannel implements Channel {
  readonly address?: string
  readonly #channel: Channel
  readonly #omit: LeftOut

  constructor(channel: Channel, omit: LeftOut) {
    this.#channel = channel
    this.#omit = omit
    if (channel.address !== undefined) this.address = channel.address
  }

  get batchPolicy(): BatchPolicy {
    return this.#channel.batchPolicy
  }

  get pace(): Pace | null {
    return this.#channel.pace ?? null
  }

  async send(batch: Batch, signal: AbortSignal): Promise<SendOutcome> {
    return await this.#channel.send(batchWithout(batch, this.#omit), signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#channel[Symbol.asyncDispose]()
  }
}
