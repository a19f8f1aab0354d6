import { watchedIn } from '../../model/account.ts'
import type { AccountContext } from '../account-context.ts'
import { accessProbe, type AccessProbeOptions } from './access-probe.ts'
import { AccessWatch } from './access-watch.ts'
import { AccountClient, type Patience, type Tenancy } from './account-client.ts'
import type { ClockWatch } from './clock-watch.ts'
import { credentialKeyOf } from './credential-key.ts'
import { HealthWatch } from './health.ts'
import { Limiter } from './limiter.ts'
import { tenantOf } from './tenant-of.ts'

interface ClientOptions extends Pick<AccessProbeOptions, 'witness'> {
  readonly patience: Patience
  /** The account at the limiter of its key; undefined: one of its own. */
  readonly tenancy: Tenancy | undefined
  readonly clocks: ClockWatch
  /** Hears of each success. */
  readonly answered: (at: number) => void
}

/** The client of an account, which keeps its health and knows what its key may not read. */
export function openAccountClient(
  context: AccountContext,
  { answered, clocks, patience, tenancy, witness }: ClientOptions,
): AccountClient {
  const { account, clock, committer, platform, random } = context
  const health = new HealthWatch({ account: account.name, credentialKey: credentialKeyOf(account), committer })
  const access = new AccessWatch({
    clock,
    random,
    health,
    watched: watchedIn(account.watch).map(([name]) => name),
    probe: async (watch) => accessProbe(watch, { account, platform, witness }),
  })
  return new AccountClient({
    ...(tenancy ?? tenancyOfOne(context)),
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

function tenancyOfOne({ account, clock, committer, random }: AccountContext): Tenancy {
  const tenant = tenantOf(account, committer)
  return { tenant, limiter: new Limiter({ clock, random }, tenant) }
}
