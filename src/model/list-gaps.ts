/** A run of rows of a list that cannot be read, by where it is: everything that was asked for with one of them in it failed. */
export interface BadPlace {
  /** Rows before it. */
  readonly skip: number
  readonly rows: number
  /**
   * Whether each row of the place was asked for alone. Otherwise it holds at least one that cannot be read, and perhaps
   * others.
   */
  readonly isSplit: boolean
  /** How often the place was tried again and failed. */
  readonly tries: number
  /** When the place is tried again (milliseconds since the Unix epoch). */
  readonly nextAt: number
  /** What the last failure said, for people. */
  readonly reason: string
  /** Whether the baseline left the place out: what is not known yet when it is read is learnt in silence. */
  readonly ofBaseline: boolean
  /** The id of the row before it when it was found; null: not known. Rows move, and what cannot be read moves with them. */
  readonly after: string | null
}

/** Passes in a row that did not read a whole list. */
export interface IncompletePasses {
  readonly passes: number
  /** When the last of the passes ended (milliseconds since the Unix epoch), as all instants here. */
  readonly at: number
  /** When the first of the passes ended. */
  readonly since: number
  /** Rows before the first that was not read. */
  readonly skip: number
  /** Why the list was not read whole, for people. */
  readonly reason: string
  /** Whether `account.list_incomplete` rang. */
  readonly hasRung: boolean
}

/** What passes leave out of a list although they reach its end (guarantees D1 and D9). */
export interface ListGaps {
  /** The bad places in the order of the list; they do not overlap. */
  readonly places: readonly BadPlace[]
  /** From which row on the baseline and all passes since have read nothing; null: it was read to its end. */
  readonly unreadFrom: number | null
  /** The passes that were not complete; null: the last one was. */
  readonly incomplete: IncompletePasses | null
  /**
   * Passes since a baseline that met rows twice: a list without total order leaves as many out. Records that are not known yet
   * are learnt in silence. null: the baseline knew all, as far as passes show.
   */
  readonly catchingUp: { readonly passes: number } | null
}

export const NO_GAPS: ListGaps = { places: [], unreadFrom: null, incomplete: null, catchingUp: null }
