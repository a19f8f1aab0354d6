import type { RecordState } from '../../model/record-state.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { toState, type RecordRow } from '../common/record-row.ts'
import type { KeptBody } from '../common/stored-body.ts'
import type { Database, Transaction } from './database.ts'
import { documentsOf } from './documents.ts'
import { rowOfKey } from './key-lookup.ts'
import { Query } from './query.ts'

interface LoadedRow extends RecordRow {
  readonly seen_codec: number | null
  readonly seen_content: Buffer | null
  /** Of `reported_body`, where that is another one. */
  readonly reported_codec: number | null
  readonly reported_content: Buffer | null
}

const KEY = { account: ':account', resource: ':resource', id: 'wanted.id' }
const SELECT = Query.frequent<LoadedRow>(`
  SELECT records.resource, records.id, seen_body, reported_body, version, last_event_id, at_baseline, first_seen_at, closed_at,
    removed_at, next_edge_at, memory, coalesce(pages.sent_at, reads.sent_at) AS sent_at,
    coalesce(pages.answered_at, reads.answered_at) AS answered_at, seen.codec AS seen_codec, seen.content AS seen_content,
    reported.codec AS reported_codec, reported.content AS reported_content
  FROM unnest(:ids::text[]) WITH ORDINALITY AS wanted (id, place)
    JOIN ${rowOfKey('records', KEY)} AS records ON true
    JOIN ${rowOfKey('reads', KEY)} AS reads ON true
    LEFT JOIN pages ON pages.ref = reads.page
    LEFT JOIN bodies AS seen ON seen.ref = seen_body
    LEFT JOIN bodies AS reported ON reported.ref = reported_body AND reported_body IS DISTINCT FROM seen_body
  ORDER BY place`)

/** The whole states of those of `ids` that are known, with their documents: one statement. */
export async function loadRecords(
  db: Database,
  list: { readonly account: string; readonly resource: SubjectResource },
  { ids, tx = db }: { readonly ids: readonly string[]; readonly tx?: Pick<Transaction, 'all'> },
): Promise<ReadonlyMap<string, RecordState>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.all(SELECT, { ...list, ids })
  const documents = documentsOf(db, rows.flatMap(bodiesOf))
  return new Map(rows.map((row) => [row.id, toState(row, documents)]))
}

function bodiesOf(row: LoadedRow): readonly KeptBody[] {
  return [
    bodyOf(row.seen_body, row.seen_codec, row.seen_content),
    bodyOf(row.reported_body, row.reported_codec, row.reported_content),
  ].filter((body) => body !== null)
}

function bodyOf(ref: number | null, codec: number | null, content: Buffer | null): KeptBody | null {
  return ref === null || codec === null || content === null ? null : { ref, codec, content }
}
