import type { Delivery } from '../model/delivery.ts'
import type { QueryStore } from '../store/ports/query-port.ts'

const PAGE = 1_000

/** Rows of the ledger in the order they are named. */
export async function ledgerRows(store: QueryStore, ids: readonly string[]): Promise<readonly Delivery[]> {
  const rows = new Map<string, Delivery>()
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE)
    for (const row of await store.deliveries(page)) rows.set(row.id, row)
  }
  return ids.flatMap((id) => rows.get(id) ?? [])
}
