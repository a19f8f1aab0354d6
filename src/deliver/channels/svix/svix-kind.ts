import { payloadBody } from '../../../model/payload.ts'
import type { SvixChannel } from '../../../model/subscription.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { documentPreview } from '../preview.ts'
import { SvixSender } from './svix-sender.ts'

export const SVIX: ChannelKindOf<SvixChannel> = {
  open: (channel, context) => new SvixSender(channel, context),
  preview: (_channel, [{ event }]) => documentPreview(payloadBody(event)),
}
