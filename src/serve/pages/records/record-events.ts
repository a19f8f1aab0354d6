import type { LoggedEvent } from '../../../model/event.ts'
import type { DeskStore } from '../../admin-context.ts'
import type { RecordKey } from '../../../store/ports/record-query-port.ts'

export interface RecordEvents {
  /** Newest first. */
  readonly items: readonly LoggedEvent[]
  /** Whether there are older ones. */
  readonly more: boolean
  /** The sequence of the newest; 0: it never rang. */
  readonly newest: number
}

const MOST = 50

/** The newest events of a record; of a shipment also those of its tracking, which has its id. */
export async function recordEvents({ account, id, resource }: RecordKey, store: DeskStore): Promise<RecordEvents> {
  const asked = resource === 'shipment' ? (['shipment', 'tracking'] as const) : ([resource] as const)
  const parts = await Promise.all(
    asked.map(async (each) => store.eventPage({ account, resource: each, subjectId: id, limit: MOST })),
  )
  const all = parts.flatMap(({ items }) => items).toSorted((a, b) => b.sequence - a.sequence)
  const items = all.slice(0, MOST)
  const more = all.length > MOST || parts.some(({ next }) => next !== null)
  return { items, more, newest: items[0]?.sequence ?? 0 }
}
