/** Since when and how long an account's platform is left alone (guarantee D9): what outlives the process of it. */
export interface AccountPause {
  /** Failed requests, and throttled ones, in a row so far. */
  readonly failures: number
  readonly throttles: number
  /** No request is sent before (milliseconds since the Unix epoch). */
  readonly notBefore: number
  /** When that was decided. */
  readonly decidedAt: number
  /** What the last request without success said, for people. */
  readonly reason: string
  /**
   * Whether people are told of the pause where it is long. Left out: an earlier version decided it, and an upgrade rings
   * nothing.
   */
  readonly isTold?: true
  /** Stands for the address and key that asked: others are not bound by it. Left out: any. */
  readonly of?: string
}

/** What of its budget a key has turned out to bear: less than all of it. Instants are milliseconds since the Unix epoch. */
export interface LearnedCeiling {
  /** The part of the budget, in (0, 1). */
  readonly fraction: number
  /** When the ceiling was last lowered. */
  readonly loweredAt: number
  /** Up to here clean time was credited. */
  readonly creditedTo: number
  /** Whether nothing that was asked since the ceiling was lowered has been answered. */
  readonly isStrained: boolean
  /**
   * Whether the ceiling was lowered for a refusal that may have been chance; after so many clean answers that is taken for
   * what it was.
   */
  readonly doubt?: { readonly answers: number }
  /** Stands for the address and key that it was learned of: others are not bound by it. Left out: any. */
  readonly of?: string
}

/** What keeps an account from asking as fast as its budget allows. */
export interface AccountRestraint {
  /** How long the platform is left alone; null: it is not. */
  readonly pause: AccountPause | null
  /** What of its budget the key bears; null: all of it, as far as is known. */
  readonly ceiling: LearnedCeiling | null
}

/** Requests of a budget that were sent at `at` or earlier. */
export interface Spending {
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  readonly amount: number
}
