import type { PeersSeen } from './peers-peer.ts'

export const SHIPMENTS = 5_000

/** The platform whose shipments all change, and the receiver. */
export interface Arena extends Disposable {
  readonly url: string
  change(): Promise<void>
  /** Resolves to the first that fits. */
  sees(fits: (seen: PeersSeen) => boolean): Promise<PeersSeen>
}

/** One of those that are compared; it has read all shipments before its first round. */
export interface Side extends AsyncDisposable {
  readonly name: string
  /** That are measured; the first one of a process that goes on is left out beside them. */
  readonly rounds: number
  readonly isNewEachRound: boolean
  /** All shipments have changed: reads them and tells of each. */
  round(arena: Arena): Promise<Round>
}

export interface Round {
  readonly cpuMs: number
  readonly wallMs: number
}

/** Why a side is left out, and how to have it. */
export interface Missing {
  readonly missing: string
}
