import { payloadBody } from '../../../model/payload.ts'
import type { WebhookChannel } from '../../../model/subscription.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { documentPreview } from '../preview.ts'
import { WebhookSender } from './webhook-sender.ts'

export const WEBHOOK: ChannelKindOf<WebhookChannel> = {
  open: (channel, context) => new WebhookSender(channel, context),
  preview: (channel, [{ event }]) => documentPreview(payloadBody(event, channel)),
}
