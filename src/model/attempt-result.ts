import type { Attempt } from './delivery.ts'

/** What came of a claim: an attempt, or none. */
export interface AttemptResult {
  readonly id: string
  /** The attempt; null: none was made, or it was cut by shutdown and does not count. */
  readonly attempt: Attempt | null
  /**
   * When the attempt ended, in steady time, also of one that was cut: a rate counts it from then on. Left out: as its own instants and the
   * wall clock of now have it.
   */
  readonly endedAt?: number
  /** The attempt had several deliveries and counts for the endpoint with another of them. */
  readonly shared?: boolean
  /** Nothing was sent, because of the row's event and what is configured: the endpoint is charged with nothing. */
  readonly unsent?: boolean
  /**
   * The longest step of the retry schedule: at most so much of the time since the failure before this one counts for giving
   * up. Left out: none.
   */
  readonly longestStepMs?: number
  /** What the channel keeps of the attempt for the next one; left out: what it kept before. */
  readonly progress?: string
  /** The cooldown that the address asked for; kept also where `owner` no longer holds the row. */
  readonly cooldown?: Cooldown
  readonly result:
    | { readonly kind: 'delivered' }
    /** Due again at `at`; without an attempt: not due before, unless the wall clock is set. */
    | {
        readonly kind: 'retry'
        readonly at: number
        /** What `Retry-After` asks for: the row is not brought forward before. */
        readonly notBefore?: number
        /** `false`: the attempt was none of the schedule's. */
        readonly scheduled?: false
      }
    | { readonly kind: 'exhausted' }
    | { readonly kind: 'released' }
    /** The endpoint is gone (410): this row and every pending one of the subscription become `held`. */
    | { readonly kind: 'disable'; readonly reason: string }
}

/** An address that asked to be left alone, of whichever subscription. */
export interface Cooldown {
  /** Stands for it, without showing it. */
  readonly address: string
  /** The end of the cooldown, in steady time. */
  readonly until: number
}
