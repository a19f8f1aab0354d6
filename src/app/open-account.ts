import type { AccountSettings } from '../model/account.ts'
import { interfaceFields } from '../platform/interface-fields.ts'
import { AccountPoller, type AccountPollerOptions } from '../poll/account-poller.ts'
import { credentialKeyOf } from '../poll/requests/credential-key.ts'
import type { Tenancy } from '../poll/requests/account-client.ts'
import { Limiter, type LimiterOptions, type Tenant } from '../poll/requests/limiter.ts'
import { tenantOf } from '../poll/requests/tenant-of.ts'
import type { AccountOpener } from './account-supervisor.ts'
import { connectPlatform, type PlatformSurroundings } from './connect-platform.ts'

export type AccountSurroundings = Pick<
  AccountPollerOptions,
  'committer' | 'clock' | 'log' | 'random' | 'progress' | 'patience'
> &
  PlatformSurroundings

/** Opens accounts for polling. What was spent of a key's budget counts when an account of it is opened again. */
export function accountOpener(surroundings: AccountSurroundings): AccountOpener {
  const limiters = new KeyLimiters(surroundings)
  const open: AccountOpener['open'] = (account, starting) => {
    const tenancy = limiters.join(account, tenantOf(account, surroundings.committer))
    const platform = connectPlatform(surroundings, account)
    const poller = new AccountPoller({
      ...surroundings,
      account,
      tenancy,
      platform,
      fields: interfaceFields(),
      startWithinMs: startWithinMs(account, starting),
    })
    const close = async (): Promise<void> => {
      tenancy[Symbol.dispose]()
      await platform[Symbol.asyncDispose]()
    }
    return { poller, [Symbol.asyncDispose]: close }
  }
  return { open, opened: () => limiters.dropUnused() }
}

type Starting = Pick<AccountSettings, 'baseUrl' | 'watch'>

const EACH_MS = 200
const LONGEST_MS = 10_000
/** Of the smallest `every`. */
const LATENESS = 0.1

/**
 * Within how long an account, started together with others, sends its first request: time enough for those of one host not
 * to ask it all at once, and none for one alone.
 */
export function startWithinMs(account: Starting, starting: readonly Starting[]): number {
  const neighbours = starting.filter((each) => each !== account && hostOf(each) === hostOf(account)).length
  const smallestEveryMs = Math.min(...Object.values(account.watch).map(({ everyMs }) => everyMs))
  return Math.min(neighbours * EACH_MS, LONGEST_MS, smallestEveryMs * LATENESS)
}

function hostOf({ baseUrl }: Starting): string {
  return new URL(baseUrl).host
}

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
