import type { ChannelSettings } from '../../../../src/model/subscription.ts'

/** What the far side does with what it gets. */
export type Manner =
  | 'accepts'
  /** Says no, for now, and repeats the channel's secret while it is at it. */
  | 'refuses'
  /** Takes it and never answers. */
  | 'hangs'

/** The far side of a channel, on loopback. */
export interface FarSide extends AsyncDisposable {
  /** How the channel reaches it, with a deadline of 15 s. */
  readonly settings: ChannelSettings
  /** Resolves once something of an attempt has arrived. */
  arrived(): Promise<void>
  /** What has arrived so far. */
  readonly arrivals: number
}

/** One kind of channel, as the conformance tests meet it. */
export interface ChannelCase {
  /** The key of a subscription that chooses it. */
  readonly key: string
  /** How a subscription chooses it: its keys, on one line. */
  readonly configured: string
  /** What no row and no log line may show. */
  readonly secret: string
  /** Whether it dials what a subscription names, so that the guard has a say; mail goes to the operator's own host. */
  readonly guarded: boolean
  readonly start: (manner: Manner) => Promise<FarSide>
}
