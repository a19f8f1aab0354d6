import type { ChannelSettings } from '../../model/subscription.ts'
import type { Batch } from '../batches.ts'
import type { Channel, ChannelContext } from './channel.ts'
import type { Preview } from './preview.ts'

export type PreviewContext = Pick<ChannelContext, 'templateFailed'>

/** A kind of channel as deliveries know it. */
export interface ChannelKindOf<S extends ChannelSettings> {
  /** Opens no connection yet. */
  readonly open: (channel: S, context: ChannelContext) => Channel
  /** What it would make of a batch, by the very functions that make what is sent; sends nothing. */
  readonly preview: (channel: S, batch: Batch, context: PreviewContext) => Preview
  /** Whether whatever waits is told as one, as a digest is; left out: it is not. */
  readonly tellsAsOne?: (channel: S) => boolean
}
