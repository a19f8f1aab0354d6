/** What of its budget a key has turned out to bear: less than all of it. Instants are milliseconds since the Unix epoch. */
export interface LearnedCeiling {
  /** Of the budget, in (0, 1). */
  readonly fraction: number
  /** When it was last lowered. */
  readonly loweredAt: number
  /** Up to here clean time was credited. */
  readonly creditedTo: number
  /** Nothing that was asked since it was lowered has been answered. */
  readonly isStrained: boolean
  /** It was lowered for a refusal that may have been chance; after so many clean answers that is taken for what it was. */
  readonly doubt?: { readonly answers: number }
  /** Stands for the address and key that it was learned of: others are not bound by it. Left out: any. */
  readonly of?: string
}
