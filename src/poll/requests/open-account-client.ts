import { watchedIn } from '../../model/account.ts'
import { LISTS, RECORD_OF, type Watchable } from '../../model/resource.ts'
import type { AccountContext } from '../account-context.ts'
import type { PageShown } from '../lists/page-of-rows.ts'
import { shownBeside } from '../lists/rows-beside.ts'
import { AccessWatch, type Ask } from './access-watch.ts'
import { AccountClient, type Patience, type Tenancy } from './account-client.ts'
import type { ClockWatch } from './clock-watch.ts'
import { HealthWatch } from './health.ts'
import { Limiter } from './limiter.ts'
import { credentialKeyOf, tenantOf } from './tenant.ts'

type Witness = (watch: Watchable) => Promise<string | null>

interface ClientOptions {
  readonly patience: Patience
  /** The account at the limiter of its key; undefined: one of its own. */
  readonly tenancy: Tenancy | undefined
  readonly clocks: ClockWatch
  /** Hears of each success. */
  readonly answered: (at: number) => void
  /** Takes the rows of a list by which it was seen whether that answers. */
  readonly probed: (list: Watchable, shown: PageShown) => Promise<void>
  /** An item that answered, the last that did if possible; null: there is none. */
  readonly witness: Witness
}

/** The client of an account, which keeps its health and knows what its key may not read. */
export function openAccountClient(
  context: AccountContext,
  { answered, clocks, patience, probed, tenancy, witness }: ClientOptions,
): AccountClient {
  const { account, clock, committer, random } = context
  const health = new HealthWatch({ account: account.name, credentialKey: credentialKeyOf(account), committer })
  const watched = watchedIn(account.watch).map(([name]) => name)
  const probe = async (watch: Watchable): Promise<Ask | null> => probeOf(context, watch, { probed, witness })
  const access = new AccessWatch({ clock, random, health, watched, probe })
  return new AccountClient({
    ...(tenancy ?? tenancyOfOne(context)),
    patience,
    access,
    outage: { watched, probe },
    observe: async (outcome, result) => {
      const { answeredAt } = outcome.exchange
      if (result === 'success') answered(answeredAt)
      await clocks.observe(outcome.exchange)
      await health.observe(outcome, result)
    },
    charged: async (failures) => health.charge(failures),
  })
}

function tenancyOfOne({ account, clock, committer, random }: AccountContext): Tenancy {
  const tenant = tenantOf(account, committer)
  return { tenant, limiter: new Limiter({ clock, random }, tenant) }
}

/** What shows whether a resource answers, at the price of one row or item; null: there is nothing to ask for. */
async function probeOf(
  { account, platform }: AccountContext,
  watch: Watchable,
  { probed, witness }: Pick<ClientOptions, 'probed' | 'witness'>,
): Promise<Ask | null> {
  const list = LISTS.find((name) => name === watch)
  if (list !== undefined) {
    const request = { skip: 0, take: 1, shipmentIdField: account.shipmentIdField }
    return async () => {
      const outcome = await platform.list(RECORD_OF[list], request)
      const shown = outcome.kind === 'ok' ? shownBeside(outcome.value, { ...outcome, skip: request.skip }) : null
      if (shown !== null && shown.page.rows.length > 0) await probed(list, shown)
      return outcome
    }
  }
  const id = await witness(watch)
  return id === null ? null : async () => platform.item(RECORD_OF[watch], id)
}
