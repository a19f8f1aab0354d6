import { sharedTermsOf } from '../../model/search-terms.ts'
import { searchDocument } from '../../model/search-text.ts'
import { BodyReader } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { parseTerms } from '../records/record-rows.ts'
import { hasShared } from '../../model/searched-texts.ts'
import type { SearchStore } from '../ports/search-port.ts'
import { QUEUED_COLUMNS, QUEUED_TABLES, type QueuedRow } from './search-index.ts'

const QUEUED = new Query<QueuedRow & { readonly body: number | null }>(`
  SELECT ${QUEUED_COLUMNS}, seen_body AS body FROM ${QUEUED_TABLES} ORDER BY search_queue.record DESC LIMIT ?`)
const SHARE = 'UPDATE record_terms SET shared = ? WHERE record = ?'
const INDEX = 'INSERT OR REPLACE INTO search_index (rowid, document) VALUES (?, ?)'
const DONE = 'DELETE FROM search_queue WHERE record = ?'

export function searchStore(db: Connection): SearchStore {
  return {
    indexQueued: async (most) => {
      const any = await db.look(() => db.one(ANY))
      return any === undefined ? 0 : await db.write(() => indexQueued(db, most))
    },
  }
}

/** A write that finds nothing would be one all the same. */
const ANY = new Query<{ record: number }>('SELECT record FROM search_queue LIMIT 1')

function indexQueued(db: Connection, most: number): number {
  const rows = db.all(QUEUED, most)
  const bodies = new BodyReader(db)
  for (const { body, ...row } of rows) {
    const { account, id, ref, resource } = row
    const shared = sharedTermsOf(resource, hasShared(resource) ? bodies.load(body) : null)
    db.run(SHARE, JSON.stringify(shared), ref)
    db.run(INDEX, ref, searchDocument({ account, resource, id, terms: parseTerms(row.terms), shared }))
    db.run(DONE, ref)
  }
  return rows.length
}
