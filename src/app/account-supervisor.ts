import { isDeepStrictEqual } from 'node:util'
import type { AccountSettings } from '../model/account.ts'
import type { AccountPoller } from '../poll/account-poller.ts'

/** An account that is polled, and what goes with it when it is not any more. */
interface SupervisedAccount extends AsyncDisposable {
  readonly poller: AccountPoller
}

export interface AccountOpener {
  /** `starting` are all that start together with the account, itself among them. */
  open(account: AccountSettings, starting: readonly AccountSettings[]): SupervisedAccount
  /** Every account that is to be polled is open, and no other. */
  opened(): void
}

interface RunningAccount {
  readonly member: SupervisedAccount
  stop: AbortController
  /** Until its loops have ended; null: not started. */
  run: Promise<void> | null
}

/** The accounts that are polled. Follows a reload: what is unchanged goes on untouched. */
export class AccountSupervisor implements AsyncDisposable {
  readonly #opener: AccountOpener
  readonly #running = new Map<string, RunningAccount>()
  /** While running: what ends it, and where a broken loop reports. */
  #current: { readonly signal: AbortSignal; readonly broke: (error: unknown) => void } | null = null

  constructor(opener: AccountOpener) {
    this.#opener = opener
  }

  get pollers(): readonly AccountPoller[] {
    return [...this.#running.values()].map(({ member }) => member.poller)
  }

  /** Polls exactly these accounts from now on; those that left or changed have ended by then, their requests cut short. */
  async follow(accounts: readonly AccountSettings[]): Promise<void> {
    const wanted = new Map(accounts.map((account) => [account.name, account]))
    const leaving = [...this.#running].filter(
      ([name, { member }]) => !isDeepStrictEqual(wanted.get(name), member.poller.account),
    )
    await Promise.all(leaving.map(async ([name, running]) => this.#retire(name, running)))
    const starting = accounts.filter(({ name }) => !this.#running.has(name))
    for (const account of starting) {
      const running = { member: this.#opener.open(account, starting), stop: new AbortController(), run: null }
      this.#running.set(account.name, running)
      this.#start(running)
    }
    this.#opener.opened()
  }

  /** Polls until `signal` aborts; may then be called again. Rejects where a poller breaks, which nothing that the platform sends can cause. */
  async run(signal: AbortSignal): Promise<void> {
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
    this.#current = { signal, broke: reject }
    for (const running of this.#running.values()) this.#start(running)
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
    try {
      await ended
    } finally {
      this.#current = null
      for (const { stop } of this.#running.values()) stop.abort()
      await Promise.all([...this.#running.values()].map(async ({ run }) => run))
    }
  }

  #start(running: RunningAccount): void {
    if (this.#current === null) return
    const { signal, broke } = this.#current
    if (running.stop.signal.aborted) running.stop = new AbortController()
    running.run = running.member.poller.run(AbortSignal.any([signal, running.stop.signal])).catch(broke)
  }

  async #retire(name: string, { member, stop, run }: RunningAccount): Promise<void> {
    this.#running.delete(name)
    stop.abort()
    await run
    await member[Symbol.asyncDispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running].map(async ([name, running]) => this.#retire(name, running)))
  }
}
