import { ShipbellError } from '../../errors.ts'
import type { Page, PageQuery } from '../../model/page.ts'
import type { SnapshotStanding } from '../../model/snapshot-run.ts'
import { seesAccount, seesDelivery, subscriptionsSeen, type Scope } from '../../model/scope.ts'
import type { AdminContext, Asker } from '../admin-context.ts'
import { PlaceSeal } from './sealed-cursor.ts'

type Configured = Pick<AdminContext, 'access' | 'accounts' | 'subscriptions'>

/** What somebody with a narrower token sees, as everything is configured now. */
export class Sight {
  readonly scope: Exclude<Scope, { readonly kind: 'all' }>
  /** Names of the subscriptions that are seen. */
  readonly subscriptions: ReadonlySet<string>
  readonly seal: PlaceSeal

  private constructor(scope: Sight['scope'], configured: Configured, token: string) {
    this.scope = scope
    const accounts = configured.accounts().map(({ name }) => name)
    this.subscriptions =
      subscriptionsSeen(scope, { accounts, subscriptions: configured.subscriptions() }) ?? new Set<string>()
    this.seal = new PlaceSeal(token)
  }

  /** Null: whoever asks sees everything. */
  static of({ name, scope }: Asker, configured: Configured): Sight | null {
    if (scope.kind === 'all') return null
    // Whoever lost the token meanwhile opens no place any more.
    const token = configured.access().tokens.find((each) => each.name === name)?.token ?? ''
    return new Sight(scope, configured, token)
  }

  account(name: string | null): boolean {
    return seesAccount(this.scope, name)
  }

  delivery(row: { readonly account: string | null; readonly subscription: string }): boolean {
    return seesDelivery(this.scope, row, this.subscriptions)
  }

  /** A run as far as it is seen; null: its subscription is not. */
  run(run: SnapshotStanding): SnapshotStanding | null {
    if (!this.subscriptions.has(run.subscription)) return null
    if (this.scope.kind === 'subscription') return run
    return { ...run, parts: run.parts.filter(({ account }) => this.account(account)) }
  }

  /** A page whose place in its list stays hidden. Throws `bad_cursor`. */
  async page<Q extends PageQuery, T>(list: string, query: Q, read: (query: Q) => Promise<Page<T>>): Promise<Page<T>> {
    const { cursor } = query
    const place = cursor === undefined ? undefined : this.seal.open(list, cursor)
    if (place === null)
      throw new ShipbellError('bad_cursor', 'The cursor is none of this list: take `next` of its last page, or none.')
    const page = await read({ ...query, ...(place !== undefined && { cursor: place }) })
    return { items: page.items, next: page.next === null ? null : this.seal.seal(list, page.next) }
  }
}

/** What cannot be narrowed is not served. */
export async function notServed(): Promise<never> {
  throw new ShipbellError('not_found', 'There is nothing of that kind.')
}
