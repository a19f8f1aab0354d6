import { ShipbellError } from '../errors.ts'
import type { ChannelSettings } from '../model/subscription.ts'
import type { Surroundings } from './channel-kind.ts'
import { CHANNEL_KINDS, type ChannelKeys } from './channel-kinds.ts'

/** The channel of a subscription that names exactly one. */
export function channelOf(keys: ChannelKeys, around: Surroundings): ChannelSettings {
  for (const kind of Object.values(CHANNEL_KINDS)) {
    const channel = kind.build(keys, around)
    if (channel !== null) return channel
  }
  throw new ShipbellError('internal', 'A subscription without a channel was taken for a valid one.')
}
