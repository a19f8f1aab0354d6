import { snapshotOf } from '../../detect/snapshot.ts'
import type { EventDraft } from '../../model/event.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { SnapshotPart, SnapshotRun } from '../../model/snapshot-run.ts'
import type { RecordStore } from '../../store/ports/record-port.ts'
import { ownersOf, summaryOf } from '../ingest/record-facts.ts'

export interface ReadSnapshots extends SnapshotPart {
  readonly ids: readonly string[]
  /** The run that they are made for. */
  readonly of: Pick<SnapshotRun, 'subscription' | 'run'>
  readonly timeZone: string
  /** Where the admin interface is reached; null: nowhere. */
  readonly publicUrl: string | null
  readonly at: number
}

/** Records of one part as they stand now, in the order of their ids; null for one that has nothing to show, or is gone. */
export async function readSnapshots(
  store: Pick<RecordStore, 'records'>,
  { account, ids, resource, ...how }: ReadSnapshots,
): Promise<readonly (EventDraft | null)[]> {
  const states = await store.records(account, resource, ids)
  const owners =
    resource === 'shipment' ? new Map<string, RecordState>() : await ownersOf(store, account, shown(states))
  return ids.map((id) => {
    const state = states.get(id)
    if (state === undefined) return null
    const owner = owners.get(id)
    const shipment = owner?.removedAt === null ? summaryOf(owner) : null
    return snapshotOf({ ...how, account, resource, state, shipment })
  })
}

function shown(states: ReadonlyMap<string, RecordState>) {
  return [...states].flatMap(([id, { reported }]) => (reported === null ? [] : [[id, reported] as const]))
}
