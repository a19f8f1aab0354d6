import type { Clock } from '../clock.ts'
import { newRecordState } from '../model/record-state.ts'
import { Committer } from '../poll/committer.ts'
import { updateRecord } from '../poll/ingest/update-record.ts'
import { CREATED } from '../poll/items/created-preparations.ts'
import type { Store } from '../store/ports/store.ts'

/** What is kept for an account: each is read every half an hour, so that more would not be read in time anyway. */
const MOST = 10_000

interface Created {
  readonly account: string
  readonly reference: string
}

/** Keeps the reference of an order preparation that was created through Shipbell: it is read from then on. */
export async function noteCreated(
  { clock, store }: { readonly store: Store; readonly clock: Pick<Clock, 'monotonic' | 'now'> },
  { account, reference }: Created,
): Promise<void> {
  const key = { account: null, resource: 'configuration', id: CREATED } as const
  const at = clock.now()
  const committer = new Committer({ store, clock, subscriptions: () => [], onDeliveries: () => undefined })
  await updateRecord(committer, key, async (before) => {
    const known = before?.memory.created?.[account] ?? []
    if (known.includes(reference)) return null
    const created = { ...before?.memory.created, [account]: [...known, reference].slice(-MOST) }
    const memory = { ...before?.memory, created }
    const first = newRecordState(key, { read: { sentAt: at, answeredAt: at }, atBaseline: false })
    return before === null
      ? { state: { ...first, memory }, events: [] }
      : { state: { ...before, memory }, events: [], write: { contentHash: null, read: 'none' } }
  })
}
