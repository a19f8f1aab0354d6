import type { AccountSettings, ListWatch } from '../model/account.ts'
import type { AccountKeys } from './account-schema.ts'

/** What an account watches, of its keys under `watch`. */
export function watchSettings(watch: AccountKeys['watch']): AccountSettings['watch'] {
  const { shipments, tracking, invoices, documents, purchase_orders, locations, order_preparations, ...others } = watch
  return {
    ...(shipments && { shipments: { ...listWatch(shipments), milestoneGraceMs: shipments.milestone_grace } }),
    ...(tracking && { tracking: { ...listWatch(tracking), positions: tracking.positions } }),
    ...(invoices && { invoices: { ...listWatch(invoices), dueSoonMs: leadsOf(invoices.due_soon) } }),
    ...(documents && { documents: listWatch(documents) }),
    ...(purchase_orders && { purchase_orders: listWatch(purchase_orders) }),
    ...(locations && { locations: listWatch(locations) }),
    ...(order_preparations && {
      order_preparations: {
        ...listWatch(order_preparations),
        references: [...new Set(order_preparations.references ?? [])],
      },
    }),
    // A key that has no line above does not compile.
    ...(others satisfies Readonly<Record<string, never>>),
  }
}

/** Longest first, each once: the order of the file means nothing. */
function leadsOf(leads: readonly number[]): readonly number[] {
  return [...new Set(leads)].toSorted((left, right) => right - left)
}

interface ListKeys {
  readonly every: number
  readonly weight: number
  readonly ignore: readonly string[]
  readonly notice: readonly string[]
}

function listWatch({ every, weight, ignore, notice }: ListKeys): ListWatch {
  return { everyMs: every, weight, ignore, notice }
}
