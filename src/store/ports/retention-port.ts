/** What is done beside everything else, in small steps: payloads go, and long after them the ledger (guarantee S9, `retention`). */
export interface RetentionStore {
  /**
   * Expires payloads in one small step: of events whose rows all ended at or before `before` and, without rows, of those that
   * rang at or before it. The event's content goes, and what its receivers answered. Its envelope, what it corrects, its rows and
   * attempts stay. Never touched: events with a pending or held row, and what records are known by. Idempotent.
   */
  expirePayloads(sweep: PayloadSweep): Promise<SweptPayloads>
  /**
   * Drops events, of those whose payload has expired, with all their rows and attempts in one small step, by the same rule.
   * An event goes with all of its rows or not at all: one that lost a row alone could be sent again. The last event of the log stays, so that places and numbers
   * never come again. How many rang is kept by day, account and type; how many rows ended by day, subscription and state.
   * Exceptions that closed, and messages in which something was told last, at or before `before` go as slowly. Idempotent.
   */
  dropEnded(sweep: LedgerSweep): Promise<SweptLedger>
  /**
   * Derives what lists sort and narrow by of records that an earlier version stored, at most `most` in one step; until then lists
   * derive it as they are read. Returns how many it derived; 0: none is left.
   */
  listRecords(most: number): Promise<number>
}

export interface LedgerSweep {
  /** An instant in milliseconds since the Unix epoch. */
  readonly before: number
  /** `end` of the step before; null: from the oldest. */
  readonly after: SweepPlace | null
  /** Events looked at. */
  readonly limit: number
}

export interface PayloadSweep extends LedgerSweep {
  readonly now: number
}

export interface SweptPayloads {
  readonly expired: number
  /** Where the next step begins; null: this sweep is done. */
  readonly end: SweepPlace | null
}

export interface SweptLedger {
  /** Events. */
  readonly dropped: number
  readonly end: SweepPlace | null
}

/** A place in the log by age. */
export interface SweepPlace {
  readonly storedAt: number
  readonly ref: number
}
