import type { AccountSettings } from '../model/account.ts'
import type { Tenancy } from '../poll/requests/account-client.ts'
import { Limiter, type LimiterOptions } from '../poll/requests/limiter.ts'
import { credentialKeyOf, type Tenant } from '../poll/requests/tenant.ts'

/** A place at the limiter of a key, until it is disposed. */
type HeldTenancy = Tenancy & Disposable

/** One limiter for each key: accounts that ask one address with one key share it, and it survives a reload that keeps one of them. */
export class KeyLimiters {
  readonly #options: LimiterOptions
  readonly #limiters = new Map<string, Limiter>()
  readonly #tenants = new Map<Tenant, Limiter>()

  constructor(options: LimiterOptions) {
    this.#options = options
  }

  join(account: AccountSettings, tenant: Tenant): HeldTenancy {
    const credentialKey = credentialKeyOf(account)
    const known = this.#limiters.get(credentialKey)
    const limiter = known ?? new Limiter(this.#options, tenant)
    this.#limiters.set(credentialKey, limiter)
    known?.join(tenant)
    this.#tenants.set(tenant, limiter)
    return { limiter, tenant, [Symbol.dispose]: () => this.#leave(tenant, limiter) }
  }

  /** Forgets the limiters of keys that nobody asks with any more; the store knows what was spent of theirs. */
  dropUnused(): void {
    const used = new Set(this.#tenants.values())
    for (const [credentialKey, limiter] of this.#limiters) if (!used.has(limiter)) this.#limiters.delete(credentialKey)
  }

  #leave(tenant: Tenant, limiter: Limiter): void {
    this.#tenants.delete(tenant)
    limiter.leave(tenant)
  }
}
