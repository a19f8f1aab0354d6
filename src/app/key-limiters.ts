import type { AccountSettings } from '../model/account.ts'
import { askerOf } from '../poll/asker-of.ts'
import type { Tenancy } from '../poll/gate.ts'
import { Limiter, type LimiterOptions, type Tenant } from '../poll/limiter.ts'

/** A place at the limiter of a key, until it is disposed. */
type HeldTenancy = Tenancy & Disposable

/** One limiter for each key: accounts that ask one address with one key share it, and it survives every reload. */
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
}
