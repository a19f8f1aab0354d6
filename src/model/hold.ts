import type { RecordResource } from './resource.ts'

/** Why a complete pass over a list was not believed (guarantee D6). */
export type PassDoubt = 'empty' | 'too_many' | 'other_account'

/** Why removals are held. `unproved`: passes miss single records, of which a fetch by id proves nothing. */
export const HOLD_REASONS = ['empty', 'too_many', 'other_account', 'unproved'] as const satisfies readonly (
  | PassDoubt
  | 'unproved'
)[]

export type HoldReason = (typeof HOLD_REASONS)[number]

/** What an operator says of a hold: `accept`: the next complete pass is right; `reject`: what it missed exists. */
export type HoldVerdict = 'accept' | 'reject'

/** What a pass found that was not believed. */
export interface HeldPass {
  readonly reason: PassDoubt
  /** Records known when the pass began. */
  readonly known: number
  /** How many of the known records the hold would take away. */
  readonly missing: number
  /** Ids of some of these. */
  readonly sample: readonly string[]
}

/** Removals that are not believed until the items return or somebody says which is right. */
export interface Hold extends HeldPass {
  /** When the hold rang (milliseconds since the Unix epoch). */
  readonly since: number
  readonly verdict: HoldVerdict | null
  /** After a rejection: how many more such passes until it rings anew. */
  readonly quietPasses: number
}

/** A list and its hold, or what is held of single records of it. */
export interface HeldList extends Omit<Hold, 'reason'> {
  readonly account: string
  readonly resource: RecordResource
  readonly reason: HoldReason
}

/** Which hold a verdict is about. `reason` left out: the only one of its list. */
export interface NamedHold extends Pick<HeldList, 'account' | 'resource'> {
  readonly reason?: HoldReason | undefined
}

/** A hold that was rejected rings anew when so many passes later it is still so. */
export const QUIET_PASSES_AFTER_REJECTION = 2
