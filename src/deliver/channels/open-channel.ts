import type { Subscription } from '../../model/subscription.ts'
import type { Channel, ChannelContext } from './channel.ts'
import { EmailSender } from './email/email-sender.ts'
import { SlackSender } from './slack/slack-sender.ts'
import { SvixSender } from './svix/svix-sender.ts'
import { WebhookSender } from './webhook/webhook-sender.ts'

/** The channel of a subscription's kind; a new kind is a new case. Opens no connection yet. */
export function openChannel({ channel }: Subscription, context: ChannelContext): Channel {
  switch (channel.kind) {
    case 'webhook':
      return new WebhookSender(channel, context)
    case 'svix':
      return new SvixSender(channel, context)
    case 'slack':
      return new SlackSender(channel, context)
    case 'email':
      return new EmailSender(channel, context)
    default:
      return channel satisfies never
  }
}
