import type { Delivery } from '../../../model/delivery.ts'
import type { DateValue } from '../../../store/ports/record-query-port.ts'
import type { DeskStore } from '../../admin-context.ts'

/** Deliveries by the event that told a value. */
export type Hearers = ReadonlyMap<string, readonly Delivery[]>

/** The newest values are what people ask for: a page looks up no more. */
const MOST_EVENTS = 60
const MOST_ROWS = 50

/** Who was told of which value. */
export async function hearersOf(values: readonly DateValue[], store: DeskStore): Promise<Hearers> {
  const told = values.toSorted((a, b) => (b.toldAt ?? 0) - (a.toldAt ?? 0)).flatMap(({ eventId }) => eventId ?? [])
  const found = await Promise.all(
    told
      .slice(0, MOST_EVENTS)
      .map(async (id) => [id, (await store.deliveryPage({ eventId: id, limit: MOST_ROWS })).items] as const),
  )
  return new Map(found)
}
