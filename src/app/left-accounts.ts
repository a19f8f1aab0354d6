import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { noteNumber } from '../poll/notes/notebook.ts'
import type { Store } from '../store/ports/store.ts'

const LOOK_EVERY_MS = 2_000

export interface LeftAccountsOptions {
  readonly store: Pick<Store, 'commit' | 'exceptionCounts'>
  readonly clock: Clock
  readonly live: { readonly config: Config }
}

/** Closes what is open of accounts that the configuration has no more. */
export class LeftAccounts {
  readonly #options: LeftAccountsOptions
  #judged: Config | null = null

  constructor(options: LeftAccountsOptions) {
    this.#options = options
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, live } = this.#options
    while (!signal.aborted) {
      const { config } = live
      // A store that cannot be written now is tried again.
      if (config !== this.#judged) await this.once(config).catch(() => undefined)
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
  }

  async once(config: Config): Promise<void> {
    const { clock, store } = this.#options
    const configured = new Set(config.accounts.map(({ name }) => name))
    const open = new Set((await store.exceptionCounts(clock.now())).map(({ account }) => account))
    const at = clock.now()
    for (const account of open) {
      if (configured.has(account)) continue
      const end = { kind: 'topic', topic: 'exceptions', settings: null, resources: [], number: noteNumber(at) } as const
      const nothing = { records: [], events: [], deliveries: [], dates: [] }
      const exceptions = { closes: [{ by: 'unwatched', at }] }
      await store.commit({ account, ...nothing, storedAt: at, changes: [end], exceptions })
    }
    this.#judged = config
  }
}
