import { randomBytes } from 'node:crypto'
import { postingTo } from '../config/channel-kinds.ts'
import type { Clock } from '../clock.ts'
import type { SendOutcome } from '../deliver/channels/channel.ts'
import { openChannel } from '../deliver/channels/channel-kinds.ts'
import { RenderedBodies } from '../deliver/rendered-bodies.ts'
import type { EventType } from '../model/event-catalogue.ts'
import type { ShipbellEvent } from '../model/event.ts'
import { sampleEvent } from '../samples/sample-event.ts'
import { readVersion } from '../version.ts'

/** A sample to be sent: of cause `test`, and under an id of its own, because a receiver drops what it had. */
export function freshSample(type: EventType): ShipbellEvent {
  return { ...sampleEvent(type), id: `evt_${randomBytes(20).toString('hex')}`, cause: 'test' }
}

export interface Posting {
  readonly event: ShipbellEvent
  readonly url: string
  /** `whsec_…` or `whsk_…`. */
  readonly secret: string
  /** CIDRs of private and loopback networks that may be dialled. */
  readonly allowNetworks: readonly string[]
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** One attempt to post an event as a subscription of this URL would, guarded and judged likewise; nothing is stored. */
export async function postEvent(posting: Posting): Promise<SendOutcome & { readonly durationMs: number }> {
  const { allowNetworks, clock, event, secret, signal, url } = posting
  const context = { clock, allowNetworks, version: readVersion(), secrets: () => [], bodies: new RenderedBodies() }
  await using channel = openChannel(postingTo(url, secret), context)
  const delivery = { id: 'sample', subscription: 'sample', attempts: 0, dueAt: 0, rangAt: event.timestamp, event }
  const startedAt = clock.monotonic()
  const outcome = await channel.send([delivery], signal)
  return { ...outcome, durationMs: Math.round(clock.monotonic() - startedAt) }
}
