import { onTestFinished } from 'vitest'
import { serverSecrets } from '../../../../src/config/channel-secrets.ts'
import { systemClock } from '../../../../src/clock.ts'
import { openChannel } from '../../../../src/deliver/channels/channel-kinds.ts'
import type { Channel, ChannelContext } from '../../../../src/deliver/channels/channel.ts'
import { RenderedBodies } from '../../../../src/deliver/rendered-bodies.ts'
import type { Batch } from '../../../../src/deliver/batches.ts'
import type { EmailChannel } from '../../../../src/model/subscription.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import type { ClaimedDelivery } from '../../../../src/store/ports/delivery-port.ts'
import { sampleEvent } from '../../sample-event.ts'
import { PEOPLES_CHANNEL } from '../peoples-channel.ts'

export const NEVER = new AbortController().signal

export function emailChannel(about: Partial<EmailChannel> = {}): EmailChannel {
  const { server = 'smtp://127.0.0.1:1' } = about
  return {
    kind: 'email',
    to: ['ap@example.com'],
    from: 'shipbell@example.com',
    digest: null,
    ...PEOPLES_CHANNEL,
    server,
    hidden: serverSecrets(server),
    timeoutMs: 5_000,
    concurrency: 4,
    ...about,
  }
}

/** A sender through a mail server, which lives as long as the test. */
export function mailer(
  server: string,
  channel: Partial<EmailChannel> = {},
  context: Partial<ChannelContext> = {},
): Channel {
  const sender = openChannel(emailChannel({ server, ...channel }), {
    clock: systemClock,
    version: '9.9.9',
    allowNetworks: [],
    secrets: () => [],
    bodies: new RenderedBodies(),
    ...context,
  })
  onTestFinished(async () => await sender[Symbol.asyncDispose]())
  return sender
}

export function claimed(event: Partial<ShipbellEvent> = {}, delivery: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
  const whole = sampleEvent(event)
  return {
    id: `dlv_${whole.id}`,
    subscription: 'finance',
    attempts: 0,
    dueAt: whole.timestamp,
    rangAt: whole.timestamp,
    event: whole,
    ...delivery,
  }
}

export function batch(...events: readonly Partial<ShipbellEvent>[]): Batch {
  const [first, ...rest] = events
  return [claimed(first), ...rest.map((event) => claimed(event))]
}
