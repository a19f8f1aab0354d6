/**
 * Why a subscription made at run time is disabled. `file`: the file has a subscription of its name; `section`: the file allows none;
 * `owner`: the token that made it is gone; `bounds`: the file does not allow any more what it asks for; `lapsed`: nobody renewed it.
 */
export type RuntimeDisabledBy = 'file' | 'section' | 'owner' | 'bounds' | 'lapsed'

export interface RuntimeDisabling {
  readonly by: RuntimeDisabledBy
  /** Completes "it is disabled: …". */
  readonly reason: string
}

/** A subscription made at run time, as it is stored. Instants are milliseconds since the Unix epoch. */
export interface RuntimeSubscription {
  readonly name: string
  /** The narrower token that made it; null: one that may do everything. */
  readonly owner: string | null
  /** The keys that are no secret, as JSON, by the names that the file has of them. */
  readonly settings: string
  /** Address, headers and secrets of the subscription, encrypted. */
  readonly sealed: string
  /** 1: the events of a subject go one after another. */
  readonly ordered: number
  readonly madeAt: number
  /** When it was made or changed last: from then on it lives for the `ttl`. */
  readonly renewedAt: number
  /** Since when its address is what it is. */
  readonly addressedAt: number
  /** When a test was first answered at its address; null: none was yet. */
  readonly verifiedAt: number | null
  readonly disabledBy: RuntimeDisabledBy | null
  readonly disabledReason: string | null
  readonly disabledAt: number | null
  /** When it ended: its name is kept for as long as the ledger has rows of it; null: it has not. */
  readonly endedAt: number | null
  /** Another number each time that it is changed. */
  readonly revision: number
}

/** What the store knows of a name beside the subscription made at run time that has it. */
export interface NameFacts {
  /** Whether the file that is in force names it. */
  readonly isOfFile: boolean
  /** Whether the store has had the name: of the file, or made at run time. */
  readonly hasEndpoint: boolean
  /** Whether the ledger has a row of it. */
  readonly hasRows: boolean
  /** Whether a row of it, tests left out, is pending or held. */
  readonly hasWaiting: boolean
}

type Made = Pick<RuntimeSubscription, 'name' | 'owner' | 'settings' | 'sealed' | 'ordered'>

/** What is done to subscriptions made at run time, all at `at`. */
export type RuntimeChange = { readonly at: number } & (
  | ({ readonly kind: 'make'; /** How many there may be. */ readonly most: number } & Made)
  | ({
      readonly kind: 'alter'
      /** The revision that was looked at. */
      readonly from: number
      readonly isReaddressed: boolean
      /** Whether it lives for another `ttl`, and is enabled where it was disabled. */
      readonly isRenewed: boolean
    } & Omit<Made, 'owner'>)
  | { readonly kind: 'verify'; readonly name: string; readonly addressedAt: number }
  | {
      readonly kind: 'end'
      readonly name: string
      /** The revision that was looked at; left out: any. */ readonly from?: number
    }
  /** What the configuration in force says of each, by name; null: it allows it. Who is left out stays as it is. */
  | { readonly kind: 'judge'; readonly verdicts: ReadonlyMap<string, RuntimeDisabling | null> }
  /** Drops the names of those that ended and that the ledger has no row of. */
  | { readonly kind: 'forget' }
)

/** Why a change was not made. `stale`: somebody else changed it meanwhile. */
export type RuntimeRefusal =
  | 'unknown'
  | 'stale'
  | 'name taken'
  | 'name of file'
  | 'name of another'
  | 'rows wait'
  | 'too many'
