import { formatDuration } from '../../../model/duration.ts'
import { payloadBody, withBodyOfItsOwn } from '../../../model/payload.ts'
import type { PullChannel } from '../../../model/subscription.ts'
import { ONE_BY_ONE } from '../../batches.ts'
import { type ChannelKindOf, documentPreview } from '../channel-kind.ts'
import type { Channel } from '../channel.ts'

/** Deliveries that are taken from a feed: there is no place for an attempt, and so nothing is claimed. */
export const PULL: ChannelKindOf<PullChannel> = {
  open: () => NOTHING_IS_SENT,
  preview: (channel, [{ event }]) => documentPreview(payloadBody(event, withBodyOfItsOwn(channel))),
  outline: ({ format, keepMs, payload }) => [
    { name: 'Taken from', value: 'its feed' },
    { name: 'Kept for', value: formatDuration(keepMs) },
    { name: 'Payload', value: payload },
    { name: 'Format', value: format },
  ],
}

const NOTHING_IS_SENT: Channel = {
  batchPolicy: ONE_BY_ONE,
  send: async () => ({ kind: 'cut' }),
  [Symbol.asyncDispose]: async () => undefined,
}
