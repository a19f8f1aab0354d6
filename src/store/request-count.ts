/** Requests that an account sent. */
export interface RequestCount {
  readonly at: number
  readonly amount: number
  /** What the budget allows in an hour. */
  readonly budgetPerHour: number
  /** For how long they count, where that is longer than a week. */
  readonly countForMs?: number
}
