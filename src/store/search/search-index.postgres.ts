import { sharedTermsOf } from '../../model/search-terms.ts'
import { gramsOf, searchDocument } from '../../model/search-text.ts'
import { bodyColumns, bodyOf, documentsOf, joinBody, type RowWithBody } from '../documents/documents.postgres.ts'
import { parseTerms } from '../records/record-rows.ts'
import { hasShared } from '../../model/searched-texts.ts'
import type { SearchStore } from '../ports/search-port.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { HAS_SHARED, QUEUED_COLUMNS, QUEUED_TABLES, type QueuedRow } from './search-index.ts'

// Whoever commits the record again waits for its row of the queue, and queues it anew. What somebody else has locked is left for later.
const QUEUED = new Query<QueuedRow & RowWithBody<'seen'>>(`
  SELECT ${QUEUED_COLUMNS}, seen_body, ${bodyColumns('seen')}
  FROM ${QUEUED_TABLES} ${joinBody('seen', `seen.ref = seen_body AND ${HAS_SHARED}`)}
  ORDER BY search_queue.record DESC LIMIT :most FOR UPDATE OF search_queue, record_terms SKIP LOCKED`)
const INDEX = new Query(`
  WITH row AS MATERIALIZED (
    SELECT * FROM json_to_recordset(:rows::json) AS row (record bigint, shared text, grams integer[])
  ), shared AS (
    UPDATE record_terms SET shared = row.shared FROM row WHERE record_terms.record = row.record
  ), done AS (
    DELETE FROM search_queue USING row WHERE search_queue.record = row.record
  )
  INSERT INTO search_index (record, grams) SELECT record, grams FROM row
  ON CONFLICT (record) DO UPDATE SET grams = excluded.grams`)

export function searchStore(db: Database): SearchStore {
  return { indexQueued: async (most) => await db.write(async (tx) => await indexQueued(db, tx, most)) }
}

async function indexQueued({ memory, place }: Database, tx: Transaction, most: number): Promise<number> {
  const queued = await tx.all(QUEUED, { most })
  if (queued.length === 0) return 0
  const bodies = queued.map((row) => bodyOf(row, 'seen')).filter((body) => body !== null)
  const documents = documentsOf({ memory, place }, bodies)
  const rows = queued.map((row) => {
    const { account, id, ref, resource, seen_body: body } = row
    const shared = sharedTermsOf(resource, hasShared(resource) ? documents.load(body) : null)
    const grams = gramNumbers(gramsOf(searchDocument({ account, resource, id, terms: parseTerms(row.terms), shared })))
    return { record: ref, shared: JSON.stringify(shared), grams }
  })
  await tx.run(INDEX, { rows: JSON.stringify(rows) })
  return queued.length
}

/** Parts of three characters as the numbers that PostgreSQL has an index of without an extension. */
export function gramNumbers(grams: Iterable<string>): readonly number[] {
  return [...new Set(Array.from(grams, gramNumber))]
}

/** What is ASCII has a number of its own; of other parts several may have the same: what is found is looked at again. */
function gramNumber(gram: string): number {
  const [one = 0, two = 0, three = 0] = Array.from(gram, (character) => character.codePointAt(0))
  if (one < 128 && two < 128 && three < 128) return (one << 14) | (two << 7) | three
  return (Math.imul(Math.imul(one, 0x9e3779b1) ^ two, 0x85ebca6b) ^ Math.imul(three, 0x01000193)) | 0x80000000
}
