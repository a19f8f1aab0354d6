/** Where a message belongs: to one subscription, about one shipment of an account. */
export interface LivingPlace {
  readonly subscription: string
  readonly account: string
  readonly shipment: string
}

/** A message that is kept up to date while its shipment is under way, as far as it is known. */
export interface LivingMessage extends LivingPlace {
  /** The conversation in which it stands, as configured when it began. */
  readonly channel: string
  /** What the chat calls the message there; null: it is not there, or the answer that named it was lost. */
  readonly ts: string | null
  /** Since when a message may be there whose answer is not known; null: none is. */
  readonly postedAt: number | null
  /** The events that it began with: they are no entry of its thread. */
  readonly beganWith: readonly string[]
  /** The events that it shows, the newest last. */
  readonly shown: readonly string[]
  /** The place of the newest of them in the series of its account; 0: none of them has one. */
  readonly sequence: number
  /** The first event of the last entry that was begun in its thread; null: it has none. */
  readonly entry: string | null
  /** When it was last told something. */
  readonly toldAt: number
}

/** What the button of such a message is called that acknowledges what is open, whatever its language. */
export const ACKNOWLEDGE_ACTION = 'shipbell_acknowledge'

/** What the block with its buttons is called, before the subscription: several may post to one channel as one app. */
export const BLOCK_OF = 'shipbell:'
