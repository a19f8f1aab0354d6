import type { RecordState } from '../../model/record-state.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { BodyReader } from './bodies.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

interface RecordRow {
  readonly resource: SubjectResource
  readonly id: string
  readonly seen_body: number | null
  readonly reported_body: number | null
  readonly version: number
  readonly last_event_id: string | null
  readonly at_baseline: number
  readonly first_seen_at: number
  readonly closed_at: number | null
  readonly removed_at: number | null
  readonly next_edge_at: number | null
  readonly memory: string
  readonly sent_at: number
  readonly answered_at: number
}

const SELECT = new Query<RecordRow>(`
  SELECT records.resource, records.id, seen_body, reported_body, version, last_event_id, at_baseline, first_seen_at, closed_at, removed_at,
    next_edge_at, memory, ifnull(pages.sent_at, reads.sent_at) AS sent_at,
    ifnull(pages.answered_at, reads.answered_at) AS answered_at
  FROM records JOIN reads USING (account, resource, id) LEFT JOIN pages ON pages.ref = reads.page
  WHERE records.account = ? AND records.resource = ? AND records.id = ?`)

/** The whole states of those of `ids` that are known. Runs inside the caller's transaction. */
export function loadRecords(
  db: Connection,
  list: { readonly account: string; readonly resource: SubjectResource },
  ids: readonly string[],
): ReadonlyMap<string, RecordState> {
  const bodies = new BodyReader(db)
  const states = new Map<string, RecordState>()
  for (const id of ids) {
    const row = db.one(SELECT, list.account, list.resource, id)
    if (row !== undefined) states.set(id, toState(row, bodies))
  }
  return states
}

function toState(row: RecordRow, bodies: BodyReader): RecordState {
  return {
    resource: row.resource,
    id: row.id,
    seen: bodies.load(row.seen_body),
    reported: bodies.load(row.reported_body),
    version: row.version,
    lastEventId: row.last_event_id,
    atBaseline: row.at_baseline === 1,
    firstSeenAt: row.first_seen_at,
    closedAt: row.closed_at,
    removedAt: row.removed_at,
    lastRead: { sentAt: row.sent_at, answeredAt: row.answered_at },
    nextEdgeAt: row.next_edge_at,
    memory: JSON.parse(row.memory),
  }
}
