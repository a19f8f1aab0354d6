/** Since when and how long an account's platform is left alone (contract section 3.9): what outlives the process of it. */
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
  /** Stands for the address and key that asked: others are not bound by it. Left out: any. */
  readonly of?: string
}
