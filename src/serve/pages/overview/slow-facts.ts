import type { AccountPlan } from '../../../report/plan.ts'
import type { AccountOverview } from '../../../store/query-port.ts'
import type { AdminContext } from '../../admin-context.ts'
import { Kept } from './kept.ts'

const PLANS_KEPT_MS = 5 * 60_000
const READS_KEPT_MS = 20_000
/** What is read one by one: its list knows nothing of what is read no more. */
const READ_BY_ITEM = new Set(['tracking', 'order_preparation'])

/** What of the overview takes a look at all that is read. */
export class SlowFacts {
  readonly #plans: Kept<readonly AccountPlan[]>
  readonly #itemReads: Kept<readonly AccountOverview[]>

  constructor(desk: AdminContext) {
    const { reports } = desk
    this.#plans = new Kept(desk, async () => reports.plan(), PLANS_KEPT_MS)
    this.#itemReads = new Kept(desk, async () => reports.accounts(), READS_KEPT_MS)
  }

  async plans(): Promise<readonly AccountPlan[]> {
    return (await this.#plans.value()) ?? []
  }

  /** The accounts, with the oldest read of what is still read one by one. */
  async withItemReads(accounts: readonly AccountOverview[]): Promise<readonly AccountOverview[]> {
    const known = (await this.#itemReads.value()) ?? []
    return accounts.map((overview) => {
      const slow = known.find(({ account }) => account === overview.account)
      const lists = overview.lists.map((list) => {
        if (!READ_BY_ITEM.has(list.resource)) return list
        return slow?.lists.find(({ resource }) => resource === list.resource) ?? list
      })
      return { ...overview, lists }
    })
  }
}
