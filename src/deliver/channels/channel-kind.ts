import type { ShipbellEvent } from '../../model/event.ts'
import type { LivingMessage } from '../../model/living-message.ts'
import type { Json } from '../../model/json.ts'
import type { ChannelSettings } from '../../model/subscription.ts'
import type { Batch, BatchPolicy, TellableDelivery } from '../batches.ts'
import type { Channel, ChannelContext } from './channel.ts'

export type PreviewContext = Pick<ChannelContext, 'links' | 'templateFailed' | 'zoneOf'>

/** A kind of channel as deliveries know it. */
export interface ChannelKindOf<S extends ChannelSettings> {
  /** Opens no connection yet. */
  readonly open: (channel: S, context: ChannelContext) => Channel
  /** What the channel would make of a batch, by the very functions that make what is sent; sends nothing. */
  readonly preview: (channel: S, batch: Batch, context: PreviewContext) => Preview
  /** Shows a message that is kept up to date as it stands now; throws where that was not done. Left out: the channel keeps none. */
  readonly refresh?: (channel: S, refreshed: Refreshed, how: Refreshing) => Promise<void>
  /** Where and how the channel sends, for people; nothing of it is secret. */
  readonly outline: (channel: S) => readonly ChannelFact[]
  /** How deliveries come together in messages; left out: each is a message of its own. */
  readonly batchPolicy?: (channel: S) => BatchPolicy
  /** How many messages tell a batch; left out: one does. */
  readonly messagesOf?: (channel: S, batch: Batch<TellableDelivery>) => number
  /** Whether all that waits goes into one message, as in a digest; left out: it does not. */
  readonly sendsAsOne?: (channel: S) => boolean
}

/** A message that is kept up to date, with the events that it shows, the newest last. */
export interface Refreshed {
  readonly message: LivingMessage
  readonly events: readonly [ShipbellEvent, ...ShipbellEvent[]]
}

export interface Refreshing {
  readonly context: ChannelContext
  readonly signal: AbortSignal
}

export interface ChannelFact {
  /** What the channel is called, in one or two words. */
  readonly name: string
  readonly value: string
}

/** What one attempt would send. */
export interface Preview {
  /** The message as its reader sees it, in plain text of several lines. Values of records in it are as they are. */
  readonly text: string
  /** What goes over the wire: the body of a request, or the parts of a mail. */
  readonly body: Json
  /** The page of a mail; null where the channel sends none. */
  readonly html: string | null
}

/** The preview of a request whose body programs read. */
export function documentPreview(body: string): Preview {
  const document: Json = JSON.parse(body)
  return { text: JSON.stringify(document, null, 2), body: document, html: null }
}
