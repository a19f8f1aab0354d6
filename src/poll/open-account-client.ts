import type { Clock } from '../clock.ts'
import { watchedIn, type AccountSettings } from '../model/account.ts'
import type { Platform } from '../platform/platform.ts'
import { accessProbe, type AccessProbeOptions } from './access-probe.ts'
import { AccessWatch } from './access-watch.ts'
import { credentialKeyOf } from './credential-key.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Committer } from './committer.ts'
import { AccountClient, type Patience, type Tenancy } from './account-client.ts'
import { HealthWatch } from './health.ts'
import { Limiter } from './limiter.ts'
import { tenantOf } from './tenant-of.ts'

export interface AccountClientSetup {
  readonly account: AccountSettings
  readonly platform: Platform
  readonly committer: Committer
  readonly clock: Clock
  readonly random: () => number
  readonly patience: Patience
  readonly clocks: ClockWatch
  /** The account at the limiter of its key; left out: one of its own. */
  readonly tenancy?: Tenancy
}

/** The client of an account, which keeps its health and knows what its key may not read; `answered` hears of each success. */
export function openAccountClient(
  options: AccountClientSetup,
  { answered, witness }: Pick<AccessProbeOptions, 'witness'> & { readonly answered: (at: number) => void },
): AccountClient {
  const { account, clock, clocks, committer, patience, random } = options
  const health = new HealthWatch({ account: account.name, credentialKey: credentialKeyOf(account), committer })
  const access = new AccessWatch({
    clock,
    random,
    health,
    watched: watchedIn(account.watch).map(([name]) => name),
    probe: async (watch) => accessProbe(watch, { ...options, witness }),
  })
  const tenancy = options.tenancy ?? tenancyOfOne(options)
  return new AccountClient({
    ...tenancy,
    patience,
    access,
    observe: async (outcome, result) => {
      const { answeredAt } = outcome.exchange
      if (result === 'success') answered(answeredAt)
      await clocks.observe(outcome.exchange)
      await health.observe(outcome, result)
    },
  })
}

function tenancyOfOne({ account, clock, committer, random }: AccountClientSetup): Tenancy {
  const tenant = tenantOf(account, committer)
  return { tenant, limiter: new Limiter({ clock, random }, tenant) }
}
