/** So many requests of a budget, sent at `at` or earlier. */
export interface Spending {
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  readonly amount: number
}
