import type { Store } from '../../../src/store/ports/store.ts'
import { sampleEvent } from '../../store/samples.ts'

export const ENDPOINTS = 200
const EVENTS_A_COMMIT = 10

/** Of the endpoints, as the configuration has them. */
export const NAMES: readonly string[] = Array.from({ length: ENDPOINTS }, (_, n) => `e${String(n).padStart(3, '0')}`)

/** Writes as many rows for each endpoint, as commits of polling do; `series` is in the ids, which are new each time. */
export async function fillBacklog(store: Store, series: string, rowsEach: number): Promise<void> {
  for (let first = 0; first < rowsEach; first += EVENTS_A_COMMIT) {
    const amount = Math.min(EVENTS_A_COMMIT, rowsEach - first)
    const ids = Array.from({ length: amount }, (_, n) => `evt_${series}_${first + n}`)
    await writeRows(store, ids, NAMES)
  }
}

/** A row for each of these events and endpoints, in one commit. */
export async function writeRows(store: Store, ids: readonly string[], names: readonly string[]): Promise<void> {
  const deliveries = ids.flatMap((eventId) => names.map((subscription) => ({ eventId, subscription })))
  await store.commit({ account: 'acme', records: [], changes: [], dates: [], events: ids.map(eventOf), deliveries })
}

/** As the daemon makes them known at its start. */
export async function knowEndpoints(store: Store): Promise<void> {
  await store.syncSubscriptions(
    NAMES.map((name) => ({ name, enabled: true, order: 'none' as const })),
    0,
  )
}

/** Rows that nobody has delivered yet. */
export async function rowsLeft(store: Store): Promise<number> {
  return (await store.endpoints()).reduce((sum, { counts }) => sum + counts.pending, 0)
}

function eventOf(id: string) {
  const subject = { resource: 'shipment', id: `SHP-${id}`, version: 1, previousEventId: null } as const
  return sampleEvent(id, { subject })
}
