import { randomUUID } from 'node:crypto'
import type { LiveConfig } from '../../config/live-config.ts'
import type { Clock } from '../../clock.ts'
import type { Store } from '../../store/ports/store.ts'
import type { StoreWatch } from '../store-watch.ts'
import { unitsOf } from './units.ts'
import type { WorkShare } from './work-share.ts'

export interface WholeWorkOptions {
  readonly live: LiveConfig
  readonly clock: Pick<Clock, 'now'>
  readonly store: Store
  readonly watch: StoreWatch
  readonly listen: WorkShare['listen']
  /** Throws `store_unusable` while a file of the store is not in its place. */
  readonly look: () => Promise<void>
}

/** The share of a process that nobody shares the store with: it holds its lock. */
export function wholeWork({ clock, listen, live, look, store, watch }: WholeWorkOptions): WorkShare {
  const owner = randomUUID()
  return {
    owner,
    processes: 1,
    get counts() {
      return { id: owner, leases: unitsOf(live.config.accounts).length, takeovers: 0 }
    },
    isInForce: true,
    isTrusted: () => true,
    accounts: () => live.config.accounts,
    subscriptions: () => live.config.subscriptions,
    storeFor: () => store,
    listen,
    load: async ({ subscriptions }) => await store.syncSubscriptions(subscriptions, clock.now()),
    during: async (work) => await watch.whileInPlace({ look, ...work }),
    keepingHouse: async ({ signal, work }) => await work(signal),
  }
}
