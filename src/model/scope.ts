/** What a token lets see: all, what is of some accounts, or what is of one subscription. */
export type Scope =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'accounts'
      readonly accounts: readonly string[]
      /** Names of the subscriptions that the token has made at run time, whatever became of them; left out: none. */
      readonly owned?: readonly string[]
    }
  | { readonly kind: 'subscription'; readonly subscription: string }

/** A token that lets see less than everything. */
export interface NarrowerToken {
  /** What the token is called in the log and in acknowledgements: it says whose it is. */
  readonly name: string
  readonly token: string
  readonly role: 'viewer' | 'operator'
  readonly scope: Scope
}

export const ALL: Scope = { kind: 'all' }

/** A subscription, as far as it says who may see it. */
export interface ScopedSubscription {
  readonly name: string
  /** The accounts that the subscription hears; null: all that are configured. */
  readonly accounts: readonly string[] | null
  /** The narrower token that made the subscription, which no other one sees; null or left out: none did. */
  readonly owner?: string | null
}

/** The scope once its token has made another subscription. */
export function withOwned(scope: Scope, name: string): Scope {
  return scope.kind === 'accounts' ? { ...scope, owned: [...(scope.owned ?? []), name] } : scope
}

/** Whether what is of an account is seen. Null: of no account, such as an event about an endpoint. */
export function seesAccount(scope: Scope, account: string | null): boolean {
  if (scope.kind === 'all') return true
  return scope.kind === 'accounts' && account !== null && scope.accounts.includes(account)
}

/**
 * Names of the subscriptions that are seen: all but for those that hear an account beyond the scope, as they are configured now;
 * null: every one, also those that are no longer configured. `accounts`: all that are configured.
 */
export function subscriptionsSeen(
  scope: Scope,
  {
    accounts,
    subscriptions,
  }: { readonly accounts: readonly string[]; readonly subscriptions: readonly ScopedSubscription[] },
): ReadonlySet<string> | null {
  switch (scope.kind) {
    case 'all':
      return null
    case 'subscription':
      return new Set([scope.subscription])
    case 'accounts': {
      const within = subscriptions.filter(
        (each) =>
          each.owner == null && (each.accounts ?? accounts).every((account) => scope.accounts.includes(account)),
      )
      return new Set([...within.map(({ name }) => name), ...(scope.owned ?? [])])
    }
    default:
      return scope satisfies never
  }
}

/** Whether a row of the ledger is seen: its subscription is, and so is the account of its event, whoever hears both. */
export function seesDelivery(
  scope: Scope,
  { account, subscription }: { readonly account: string | null; readonly subscription: string },
  subscriptions: ReadonlySet<string> | null,
): boolean {
  if (subscriptions !== null && !subscriptions.has(subscription)) return false
  return scope.kind === 'subscription' || seesAccount(scope, account)
}

/** The accounts that a list is asked for: one, several, or (where both are left out) all and none. */
export interface AccountChoice {
  readonly account?: string
  /** Rows of no account are none of theirs. */
  readonly accounts?: readonly string[]
}

/** The accounts that are asked for; undefined: all of them, and none. */
export function accountsAsked({ account, accounts }: AccountChoice): readonly string[] | undefined {
  return asked(account, accounts)
}

/** One of several, where both are named; undefined: neither is. */
function asked(one: string | undefined, several: readonly string[] | undefined): readonly string[] | undefined {
  if (one === undefined) return several
  return several === undefined || several.includes(one) ? [one] : []
}

/** The subscriptions whose rows are asked for: one, several, or (where both are left out) all. */
export interface SubscriptionChoice {
  readonly subscription?: string
  readonly subscriptions?: readonly string[]
}

/** The subscriptions that are asked for; undefined: all of them. */
export function subscriptionsAsked({ subscription, subscriptions }: SubscriptionChoice): readonly string[] | undefined {
  return asked(subscription, subscriptions)
}
