import { isDeepStrictEqual } from 'node:util'
import { turnTaking, type Clock } from '../clock.ts'
import type { AccountSettings } from '../model/account.ts'
import type { AccountPoller } from '../poll/account-poller.ts'
import type { WatchedAccount } from '../serve/readiness.ts'
import type { AccountDocuments } from './account-documents.ts'
import type { StartPlace } from './start-places.ts'

/** An account that is polled, and what goes with it when it is not any more. */
interface SupervisedAccount extends AsyncDisposable {
  readonly poller: AccountPoller
  readonly documents: AccountDocuments
}

export interface AccountOpener {
  /** The places of accounts that start together, by name. */
  places(starting: readonly AccountSettings[]): ReadonlyMap<string, StartPlace>
  open(account: AccountSettings, place: StartPlace): SupervisedAccount
  /** Every account that is to be polled is open, and no other. */
  opened(): void
}

const AT_ONCE: StartPlace = { afterMs: 0, place: null }

interface RunningAccount {
  readonly member: SupervisedAccount
  stop: AbortController
  /** Resolves when the loops of the account have ended; null: they were not started. */
  run: Promise<void> | null
  /** The run of the supervisor that it was started in; null: none. */
  startedIn: Run | null
}

/** What ends a run of the supervisor, and where a broken loop reports. */
interface Run {
  readonly signal: AbortSignal
  readonly broke: (error: unknown) => void
}

/** The accounts that are polled. Follows a reload: what is unchanged goes on untouched. */
export class AccountSupervisor implements AsyncDisposable {
  readonly #opener: AccountOpener
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>
  readonly #running = new Map<string, RunningAccount>()
  /** The run of the account; null: it does not run. */
  #current: Run | null = null

  constructor(opener: AccountOpener, clock: Pick<Clock, 'monotonic' | 'sleep'>) {
    this.#opener = opener
    this.#clock = clock
  }

  get pollers(): readonly AccountPoller[] {
    return [...this.#running.values()].map(({ member }) => member.poller)
  }

  /** The documents of an account that is polled here; null: it is not. */
  documentsOf(account: string): AccountDocuments | null {
    return this.#running.get(account)?.member.documents ?? null
  }

  /** The accounts for which is judged whether they are read in time. */
  get watched(): readonly WatchedAccount[] {
    return this.pollers.map(({ account, lastAnswerAt }) => ({
      name: account.name,
      smallestEveryMs: Math.min(...Object.values(account.watch).map(({ everyMs }) => everyMs)),
      lastAnswerAt,
    }))
  }

  /**
   * Polls exactly these accounts from now on; those that left or changed have ended by then, their requests cut short. Where they are
   * thousands, others have their turn meanwhile.
   */
  async follow(accounts: readonly AccountSettings[]): Promise<void> {
    const letOthers = turnTaking(this.#clock)
    const wanted = new Map(accounts.map((account) => [account.name, account]))
    const leaving: (readonly [string, RunningAccount])[] = []
    for (const [name, running] of this.#running) {
      if (!isDeepStrictEqual(wanted.get(name), running.member.poller.account)) leaving.push([name, running])
      await letOthers()
    }
    await Promise.all(leaving.map(async ([name, running]) => this.#retire(name, running)))
    for (const { member } of this.#running.values()) member.poller.subscriptionsChanged()
    const starting = accounts.filter(({ name }) => !this.#running.has(name))
    const places = this.#opener.places(starting)
    await letOthers()
    for (const account of starting) {
      const place = places.get(account.name) ?? AT_ONCE
      const running = {
        member: this.#opener.open(account, place),
        stop: new AbortController(),
        run: null,
        startedIn: null,
      }
      this.#running.set(account.name, running)
      this.#start(running)
      await letOthers()
    }
    this.#opener.opened()
  }

  /** Polls until `signal` aborts; may then be called again. Rejects where a poller breaks, which nothing that the platform sends can cause. */
  async run(signal: AbortSignal): Promise<void> {
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
    this.#current = { signal, broke: reject }
    // A loop may break before all accounts have been started, and `ended` is awaited after that.
    ended.catch(() => undefined)
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
    try {
      const letOthers = turnTaking(this.#clock)
      for (const [name, running] of this.#running) {
        if (this.#running.get(name) === running && !signal.aborted) this.#start(running)
        await letOthers()
      }
      await ended
    } finally {
      this.#current = null
      for (const { stop } of this.#running.values()) stop.abort()
      await Promise.all([...this.#running.values()].map(async ({ run }) => run))
    }
  }

  #start(running: RunningAccount): void {
    if (this.#current === null || running.startedIn === this.#current) return
    running.startedIn = this.#current
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
