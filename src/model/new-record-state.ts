import { arrivalOf } from './arrival-of.ts'
import type { Read, RecordState } from './record-state.ts'

/** What is known of a subject of which nothing was shown and nothing told yet. */
export function newRecordState(
  { resource, id }: Pick<RecordState, 'resource' | 'id'>,
  { read, atBaseline }: { readonly read: Read; readonly atBaseline: boolean },
): RecordState {
  return {
    resource,
    id,
    seen: null,
    reported: null,
    version: 0,
    lastEventId: null,
    atBaseline,
    firstSeenAt: arrivalOf(read),
    closedAt: null,
    removedAt: null,
    lastRead: read,
    nextEdgeAt: null,
    memory: {},
  }
}
