import { LISTS, type Watchable } from '../model/resource.ts'
import { ChurnWatch } from './ingest/churn-watch.ts'
import { ItemQuarantine } from './ingest/quarantine.ts'
import { ItemLoop } from './items/item-loop.ts'
import { OrderPreparationItems, TrackingItems } from './items/item-sources.ts'
import { ListReader } from './lists/list-reader.ts'
import type { PollContext } from './poll-context.ts'

/** What reads the lists that an account watches. */
export function listsOf(context: PollContext): readonly ListReader[] {
  const watched = LISTS.filter((watch) => context.account.watch[watch] !== undefined)
  return watched.map((watch) => new ListReader({ ...context, watch, churn: churnOf(context, watch) }))
}

/** What reads item by item what an account watches. */
export function itemsOf(context: PollContext): readonly ItemLoop[] {
  const { account, clock, committer } = context
  const given = { account, clock, store: committer.store }
  const sources = [
    ...(account.watch.tracking === undefined ? [] : [new TrackingItems(given)]),
    ...(account.watch.order_preparations === undefined ? [] : [new OrderPreparationItems(given)]),
  ]
  return sources.map((source) => {
    const { watch } = source
    const quarantine = new ItemQuarantine({ ...context, watch })
    return new ItemLoop({ ...context, source, churn: churnOf(context, watch), quarantine })
  })
}

function churnOf(context: PollContext, watch: Watchable): ChurnWatch {
  return new ChurnWatch({ ...context, watch, onChurn: () => context.plan.learnAnew(watch) })
}
