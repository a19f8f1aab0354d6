import type { Clock } from '../clock.ts'
import type { AccountSettings } from '../model/account.ts'
import { endedExpectations } from '../poll/expectations/expectation-topic.ts'
import { endOfTopic } from '../poll/notes/notebook.ts'
import type { Store } from '../store/ports/store.ts'

const LOOK_EVERY_MS = 2_000

export interface LeftAccountsOptions {
  readonly store: Pick<Store, 'commit' | 'exceptionCounts'>
  readonly clock: Clock
  /** The accounts as configured now: a reload brings another list. */
  readonly accounts: () => readonly Pick<AccountSettings, 'name'>[]
}

/** Closes what is open of accounts that the configuration has no more. */
export class LeftAccounts {
  readonly #options: LeftAccountsOptions
  /** The list that was judged last; null: none was. */
  #judged: readonly Pick<AccountSettings, 'name'>[] | null = null

  constructor(options: LeftAccountsOptions) {
    this.#options = options
  }

  async run(signal: AbortSignal): Promise<void> {
    const { accounts, clock } = this.#options
    while (!signal.aborted) {
      // A store that cannot be written now is tried again.
      if (accounts() !== this.#judged) await this.once().catch(() => undefined)
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
  }

  async once(): Promise<void> {
    const { clock, store } = this.#options
    const accounts = this.#options.accounts()
    const configured = new Set(accounts.map(({ name }) => name))
    const open = new Set((await store.exceptionCounts(clock.now())).map(({ account }) => account))
    const at = clock.now()
    for (const account of open) {
      if (configured.has(account)) continue
      const nothing = { records: [], events: [], deliveries: [], dates: [] }
      const exceptions = { closes: [{ by: 'unwatched', at }] }
      await store.commit({ account, ...nothing, storedAt: at, changes: [endOfTopic('exceptions', at)], exceptions })
      // Once the account is back, its rules are new to its records.
      const { changes = [] } = endedExpectations(at)
      await store.commit({ account, ...nothing, changes: [endOfTopic('expectations', at), ...changes] })
    }
    this.#judged = accounts
  }
}
