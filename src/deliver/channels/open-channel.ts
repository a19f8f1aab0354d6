import type { Subscription } from '../../model/subscription.ts'
import type { Channel, ChannelContext } from './channel.ts'
import { WebhookSender } from './webhook/webhook-sender.ts'

/** The channel of a subscription's kind; a new kind is a new case. Opens no connection yet. */
export function openChannel({ channel }: Subscription, context: ChannelContext): Channel {
  switch (channel.kind) {
    case 'webhook':
      return new WebhookSender(channel, context)
    default:
      return channel.kind satisfies never
  }
}
