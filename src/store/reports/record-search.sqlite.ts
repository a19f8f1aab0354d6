import type { Page } from '../../model/page.ts'
import { accountsAsked } from '../../model/scope.ts'
import { searchTerm } from '../../model/search-terms.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import { accountNames } from './dialect.ts'
import type { Connection } from '../file/connection.ts'
import { isAskedRecord, loadSummaries } from './record-summaries.ts'
import {
  type Hit,
  hitCursor,
  hitsOfEach,
  isFirstHit,
  mergedHits,
  MOST_HITS_LOOKED_AT,
  readHit,
} from './record-search.ts'
import { parseTerms } from '../records/record-rows.ts'
import { Query } from '../file/query.ts'
import { SQLITE } from './dialect.sqlite.ts'
import { atOnce } from './lookup.ts'

const HITS = new Query<Hit>(`
  SELECT term, record AS ref FROM terms
  WHERE account = CAST(:account AS TEXT) AND resource = CAST(:resource AS TEXT)
    AND (term, record) > (:term, :ref) AND term < :end
  ORDER BY term, record LIMIT :most`)
const TERMS = new Query<{ terms: string }>('SELECT terms FROM record_terms WHERE record = ?')

const [names, summaries] = [accountNames(SQLITE), loadSummaries(SQLITE)]

/**
 * `RecordQueryStore.recordPage` with `q`, inside the caller's transaction. Each record is found once, by the first of its terms that
 * match. Account by account and hit by hit, because SQLite has no LATERAL, and a statement of it is no round trip.
 */
export function foundRecords(db: Connection, query: RecordQuery & { readonly q: string }): Page<RecordSummary> {
  const text = searchTerm(query.q)
  if (text === '') return { items: [], next: null }
  const items: RecordSummary[] = []
  let place = readHit(query.cursor) ?? { term: text, ref: -1 }
  let looked = 0
  for (;;) {
    const hits = nextHits(db, query, { text, place })
    if (hits.length === 0) return { items, next: null }
    for (const hit of hits) {
      if (items.length >= query.limit || looked >= MOST_HITS_LOOKED_AT) {
        return { items, next: hitCursor(place) }
      }
      const found = isFirst(db, hit, text) ? atOnce(summaries(db, [hit.ref])).get(hit.ref) : undefined
      if (found !== undefined && isAskedRecord(found, query)) items.push(found)
      place = hit
      looked += 1
    }
  }
}

interface Searching {
  readonly text: string
  readonly place: Hit
}

function nextHits(db: Connection, query: RecordQuery, { place, text }: Searching): readonly Hit[] {
  const accounts = atOnce(names(db, accountsAsked(query)))
  const most = hitsOfEach(query, accounts.length)
  const { resource } = query
  const end = `${text}\u{10ffff}`
  return mergedHits(
    accounts.map((account) => db.all(HITS, { account, resource, ...place, end, most })),
    most,
  )
}

function isFirst(db: Connection, hit: Hit, text: string): boolean {
  return isFirstHit(hit, text, parseTerms(db.one(TERMS, hit.ref)?.terms ?? '[]'))
}
