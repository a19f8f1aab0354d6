import { isDeepStrictEqual } from 'node:util'
import type { AccountSettings } from '../model/account.ts'
import type { AccountPoller } from '../poll/account-poller.ts'

/** An account that is polled, and what goes with it when it is not any more. */
interface FleetMember extends AsyncDisposable {
  readonly poller: AccountPoller
}

export interface AccountOpener {
  /** `starting` are all that start together with the account, itself among them. */
  open(account: AccountSettings, starting: readonly AccountSettings[]): FleetMember
  /** Every account that is to be polled is open, and no other. */
  opened(): void
}

interface Sailing {
  readonly member: FleetMember
  stop: AbortController
  /** Until its loops have ended; null: not started. */
  run: Promise<void> | null
}

/** The accounts that are polled. Follows a reload: what is unchanged goes on untouched. */
export class AccountFleet implements AsyncDisposable {
  readonly #opener: AccountOpener
  readonly #sailing = new Map<string, Sailing>()
  /** While running: what ends it, and where a loop that broke says so. */
  #voyage: { readonly signal: AbortSignal; readonly broke: (error: unknown) => void } | null = null

  constructor(opener: AccountOpener) {
    this.#opener = opener
  }

  get pollers(): readonly AccountPoller[] {
    return [...this.#sailing.values()].map(({ member }) => member.poller)
  }

  /** Polls exactly these accounts from now on; those that left or changed have ended by then, their requests cut short. */
  async follow(accounts: readonly AccountSettings[]): Promise<void> {
    const wanted = new Map(accounts.map((account) => [account.name, account]))
    const leaving = [...this.#sailing].filter(
      ([name, { member }]) => !isDeepStrictEqual(wanted.get(name), member.poller.account),
    )
    await Promise.all(leaving.map(async ([name, sailing]) => this.#retire(name, sailing)))
    const starting = accounts.filter(({ name }) => !this.#sailing.has(name))
    for (const account of starting) {
      const sailing = { member: this.#opener.open(account, starting), stop: new AbortController(), run: null }
      this.#sailing.set(account.name, sailing)
      this.#start(sailing)
    }
    this.#opener.opened()
  }

  /** Polls until `signal` aborts, and may then be called again. Rejects where a poller breaks, which none does for what the platform says. */
  async run(signal: AbortSignal): Promise<void> {
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
    this.#voyage = { signal, broke: reject }
    for (const sailing of this.#sailing.values()) this.#start(sailing)
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
    try {
      await ended
    } finally {
      this.#voyage = null
      for (const { stop } of this.#sailing.values()) stop.abort()
      await Promise.all([...this.#sailing.values()].map(async ({ run }) => run))
    }
  }

  #start(sailing: Sailing): void {
    if (this.#voyage === null) return
    const { signal, broke } = this.#voyage
    if (sailing.stop.signal.aborted) sailing.stop = new AbortController()
    sailing.run = sailing.member.poller.run(AbortSignal.any([signal, sailing.stop.signal])).catch(broke)
  }

  async #retire(name: string, { member, stop, run }: Sailing): Promise<void> {
    this.#sailing.delete(name)
    stop.abort()
    await run
    await member[Symbol.asyncDispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#sailing].map(async ([name, sailing]) => this.#retire(name, sailing)))
  }
}
