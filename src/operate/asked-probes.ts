import type { Clock } from '../clock.ts'
import { FAILING_FROM } from '../model/endpoint.ts'
import { newRecordState } from '../model/record-state.ts'
import { Committer } from '../poll/committer.ts'
import { updateRecord } from '../poll/ingest/update-record.ts'
import type { EndpointLoad } from '../store/ports/delivery-port.ts'
import type { RecordStore } from '../store/ports/record-port.ts'
import type { Store } from '../store/ports/store.ts'

/** Beside the configuration's own record: what commands ask of whoever sends. */
const ASKED = 'asked'

interface Asking {
  readonly store: Store
  readonly clock: Pick<Clock, 'monotonic' | 'now'>
}

/**
 * A person asked for rows of these subscriptions. An endpoint that fails is tried now and then only: whoever sends tries it within a
 * second now, instead of up to half a minute later. Resolves to those that fail.
 */
export async function askProbes(
  { clock, store }: Asking,
  subscriptions: Iterable<string>,
): Promise<readonly EndpointLoad[]> {
  const names = new Set(subscriptions)
  const loads = names.size === 0 ? [] : await store.endpointFacts()
  const failing = loads.filter(
    ({ failuresInARow, subscription }) => names.has(subscription) && failuresInARow >= FAILING_FROM,
  )
  if (failing.length === 0) return []
  const key = { account: null, resource: 'configuration', id: ASKED } as const
  const at = clock.now()
  const committer = new Committer({ store, clock, subscriptions: () => [], onDeliveries: () => undefined })
  await updateRecord(committer, key, async (before) => {
    const asked = Object.fromEntries(failing.map(({ subscription }) => [subscription, at]))
    const memory = { ...before?.memory, probes: { ...before?.memory.probes, ...asked } }
    const write = { contentHash: null, read: 'none' } as const
    const first = newRecordState(key, { read: { sentAt: at, answeredAt: at }, atBaseline: false })
    return before === null
      ? { state: { ...first, memory }, events: [] }
      : { state: { ...before, memory }, events: [], write }
  })
  return failing
}

/** When each subscription was asked for last. */
export async function askedProbes(store: RecordStore): Promise<ReadonlyMap<string, number>> {
  const known = (await store.records(null, 'configuration', [ASKED])).get(ASKED)?.memory.probes ?? {}
  return new Map(Object.entries(known))
}
