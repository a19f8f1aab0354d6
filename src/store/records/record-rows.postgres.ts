import type { RecordState } from '../../model/record-state.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { toState, type RecordRow } from './record-rows.ts'
import type { BodyRow } from '../documents/stored-body.ts'
import { bodyColumns, bodyOf, joinBody, type RowWithBody } from '../documents/body-joins.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { documentsOf } from '../documents/documents.postgres.ts'
import { rowOfKey } from '../server/key-lookup.ts'
import { Query } from '../server/query.ts'

/** The document that was reported comes along where it is another one. */
type LoadedRow = RecordRow & RowWithBody<'seen'> & RowWithBody<'reported'>

const KEY = { account: ':account', resource: ':resource', id: 'wanted.id' }
const SELECT = Query.frequent<LoadedRow>(`
  SELECT records.resource, records.id, seen_body, reported_body, version, last_event_id, at_baseline, first_seen_at, closed_at,
    removed_at, next_edge_at, memory, coalesce(pages.sent_at, reads.sent_at) AS sent_at,
    coalesce(pages.answered_at, reads.answered_at) AS answered_at, ${bodyColumns('seen')},
    ${bodyColumns('reported')}
  FROM unnest(:ids::text[]) WITH ORDINALITY AS wanted (id, place)
    JOIN ${rowOfKey('records', KEY)} AS records ON true
    JOIN ${rowOfKey('reads', KEY)} AS reads ON true
    LEFT JOIN pages ON pages.ref = reads.page
    ${joinBody('seen', 'seen.ref = seen_body')}
    ${joinBody('reported', 'reported.ref = reported_body AND reported_body IS DISTINCT FROM seen_body')}
  ORDER BY place`)

/** The whole states of those of `ids` that are known, with their documents: one statement. */
export async function loadRecords(
  db: Database,
  list: { readonly account: string; readonly resource: SubjectResource },
  { ids, tx = db }: { readonly ids: readonly string[]; readonly tx?: Pick<Transaction, 'all'> },
): Promise<ReadonlyMap<string, RecordState>> {
  if (ids.length === 0) return new Map()
  const { memory, place } = db
  const rows = await tx.all(SELECT, { ...list, ids })
  const documents = documentsOf({ memory, place }, rows.flatMap(bodiesOf))
  return new Map(rows.map((row) => [row.id, toState(row, documents)]))
}

function bodiesOf(row: LoadedRow): readonly BodyRow[] {
  return [bodyOf(row, 'seen'), bodyOf(row, 'reported')].filter((body) => body !== null)
}
