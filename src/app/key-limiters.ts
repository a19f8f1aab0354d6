import type { AccountSettings } from '../model/account.ts'
import { askerOf } from '../poll/asker-of.ts'
import type { Tenancy } from '../poll/gate.ts'
import { Limiter, type LimiterOptions, type Tenant } from '../poll/limiter.ts'

/** A place at the limiter of a key, until it is disposed. */
type HeldTenancy = Tenancy & Disposable

/** One limiter for each key: accounts that ask one address with one key share it, and it survives a reload that keeps one of them. */
export class KeyLimiters {
  readonly #options: LimiterOptions
  readonly #limiters = new Map<string, Limiter>()

  constructor(options: LimiterOptions) {
    this.#options = options
  }

  join(account: AccountSettings, tenant: Tenant): HeldTenancy {
    const asker = askerOf(account)
    const known = this.#limiters.get(asker)
    const limiter = known ?? new Limiter(this.#options, tenant)
    this.#limiters.set(asker, limiter)
    known?.join(tenant)
    return { limiter, tenant, [Symbol.dispose]: () => limiter.leave(tenant) }
  }

  /** Forgets the limiters of keys that nobody asks with any more; the store knows what was spent of theirs. */
  dropUnused(): void {
    for (const [asker, limiter] of this.#limiters) if (limiter.isUnused) this.#limiters.delete(asker)
  }

  get size(): number {
    return this.#limiters.size
  }
}
