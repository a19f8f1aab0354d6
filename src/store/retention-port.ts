/** Payloads go, the ledger stays (guarantee S9, `retention`). */
export interface RetentionStore {
  /**
   * Expires payloads in one small step: of events whose rows all ended at or before `before` and, without rows, of those that
   * rang at or before it. The event's content goes, and what its receivers answered. Its envelope, what it corrects, its rows and
   * attempts stay. Never touched: events with a pending or held row, and what records are known by. Idempotent.
   */
  expirePayloads(sweep: PayloadSweep): Promise<SweptPayloads>
}

export interface PayloadSweep {
  /** Instants in milliseconds since the Unix epoch. */
  readonly before: number
  readonly now: number
  /** `end` of the step before; null: from the oldest. */
  readonly after: SweepPlace | null
  /** Events looked at. */
  readonly limit: number
}

export interface SweptPayloads {
  readonly expired: number
  /** Where the next step begins; null: this sweep is done. */
  readonly end: SweepPlace | null
}

/** A place in the log by age. */
export interface SweepPlace {
  readonly storedAt: number
  readonly ref: number
}
