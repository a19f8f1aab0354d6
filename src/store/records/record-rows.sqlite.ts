import type { RecordState } from '../../model/record-state.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { toState, type RecordRow } from './record-rows.ts'
import { joinedBody, type JoinedBody } from '../documents/stored-body.ts'
import { BodyReader } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

// Of the document that a record shows, which events mostly have reported as it is. The casts keep SQLite from preparing this join anew each time, as it does for parameters beside partial indexes.
const SELECT = new Query<RecordRow & Omit<JoinedBody, 'ref'>>(`
  SELECT records.resource, records.id, seen_body, reported_body, version, last_event_id, at_baseline, first_seen_at, closed_at, removed_at,
    next_edge_at, memory, ifnull(pages.sent_at, reads.sent_at) AS sent_at,
    ifnull(pages.answered_at, reads.answered_at) AS answered_at, bodies.codec, bodies.content, bodies.base,
    base.codec AS base_codec, base.content AS base_content
  FROM records JOIN reads USING (account, resource, id) LEFT JOIN pages ON pages.ref = reads.page
    LEFT JOIN bodies ON bodies.ref = records.seen_body LEFT JOIN bodies AS base ON base.ref = bodies.base
  WHERE records.account = CAST(? AS TEXT) AND records.resource = CAST(? AS TEXT) AND records.id = CAST(? AS TEXT)`)

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
    if (row === undefined) continue
    const { base, base_codec, base_content, codec, content, seen_body: ref } = row
    const seen = joinedBody({ ref, codec, content, base, base_codec, base_content })
    if (seen !== null) bodies.hold(seen)
    states.set(id, toState(row, bodies))
  }
  return states
}
