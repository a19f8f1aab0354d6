import type { Delivery } from '../../src/model/delivery.ts'
import type { LoggedEvent } from '../../src/model/event.ts'
import { collectItems } from '../../src/model/page.ts'
import type { DeliveryQuery, EventQuery, LogQueryStore } from '../../src/store/ports/log-query-port.ts'
import type { QueryStore } from '../../src/store/ports/query-port.ts'

/** All events that match, newest first. */
export async function eventsOf(
  store: LogQueryStore,
  { limit, ...query }: Omit<EventQuery, 'limit'> & { readonly limit?: number } = {},
): Promise<readonly LoggedEvent[]> {
  return await collectItems(async (page) => await store.eventPage({ ...query, ...page }), limit)
}

/** All rows that match, newest event first; `id`: of one row, or of one event. */
export async function deliveriesOf(
  store: LogQueryStore & Pick<QueryStore, 'deliveries'>,
  { id, limit, ...query }: Omit<DeliveryQuery, 'limit'> & { readonly id?: string; readonly limit?: number } = {},
): Promise<readonly Delivery[]> {
  const row = id === undefined ? null : ((await store.deliveries([id]))[0] ?? null)
  if (row !== null) return [row]
  const asked = { ...query, ...(id !== undefined && { eventId: id }) }
  return await collectItems(async (page) => await store.deliveryPage({ ...asked, ...page }), limit)
}
