import { RECORD_RESOURCES, type RecordResource } from '../../model/resource.ts'
import { hasShared } from '../../model/searched-texts.ts'
import type { SearchTerms } from '../../model/search-terms.ts'
import { parseTerms } from '../records/record-rows.ts'

/** A record of the queue with what it is found by. */
export interface QueuedRow {
  readonly ref: number
  readonly account: string
  readonly resource: RecordResource
  readonly id: string
  readonly terms: string
  /** Null: what it shares is not known yet, its document says it. */
  readonly shared: string | null
}

export const QUEUED_COLUMNS = 'records.ref, account, resource, id, terms, shared'
/** The sums keep the planner of SQLite from reading all records and looking each up in the queue. */
export const QUEUED_TABLES = `
  search_queue JOIN records ON records.ref = search_queue.record + 0
  JOIN record_terms ON record_terms.record = search_queue.record + 0`

/** Has every record indexed anew: of a store that was copied, the index stayed behind. */
export const QUEUE_ALL = 'INSERT INTO search_queue SELECT record FROM record_terms WHERE true ON CONFLICT DO NOTHING'

export function storedTerms({ shared, terms }: Pick<QueuedRow, 'terms' | 'shared'>): SearchTerms {
  return { terms: parseTerms(terms), shared: parseTerms(shared) }
}

/** The condition that the document of a record is looked at. */
export const HAS_SHARED = `resource IN (${RECORD_RESOURCES.filter(hasShared)
  .map((resource) => `'${resource}'`)
  .join(', ')})`
