import type { Page } from '../../model/page.ts'
import { searchTerm } from '../../model/search-terms.ts'
import type { RecordQuery, RecordSummary } from '../record-query-port.ts'
import { accountNames } from './account-names.ts'
import type { Connection } from './connection.ts'
import { isPlaceNumber, readCursor, writeCursor } from '../common/cursor.ts'
import { parseTerms } from './outline-rows.ts'
import { Query } from './query.ts'
import { isAsked, loadSummary } from './record-list.ts'

const LIST = 'found'

/** Terms that one page looks at. */
const MOST_LOOKED_AT = 400
/** Of each account at once. */
const LEAST_FETCHED = 8

/** A term of a record. A term that is the text itself comes before those that begin with it. */
interface Hit {
  readonly term: string
  readonly ref: number
}

const HITS = new Query<Hit>(`
  SELECT term, record AS ref FROM terms
  WHERE account = CAST(:account AS TEXT) AND resource = CAST(:resource AS TEXT)
    AND (term, record) > (:term, :ref) AND term < :end
  ORDER BY term, record LIMIT :most`)
const TERMS = new Query<{ terms: string }>('SELECT terms FROM record_terms WHERE record = ?')

/** `RecordQueryStore.recordPage` with `q`, inside the caller's transaction. Each record is found once, by the first of its terms that match. */
export function foundRecords(db: Connection, query: RecordQuery & { readonly q: string }): Page<RecordSummary> {
  const text = searchTerm(query.q)
  if (text === '') return { items: [], next: null }
  const items: RecordSummary[] = []
  let place = placeOf(query.cursor) ?? { term: text, ref: -1 }
  let looked = 0
  for (;;) {
    const hits = nextHits(db, query, { text, place })
    if (hits.length === 0) return { items, next: null }
    for (const hit of hits) {
      if (items.length >= query.limit || looked >= MOST_LOOKED_AT) {
        return { items, next: writeCursor(LIST, [place.term, place.ref]) }
      }
      const found = isFirst(db, hit, text) ? loadSummary(db, hit.ref) : null
      if (found !== null && isAsked(found, query)) items.push(found)
      place = hit
      looked += 1
    }
  }
}

interface Searching {
  readonly text: string
  readonly place: Hit
}

/** What follows in all accounts, in one order; as far as each account was asked. */
function nextHits(
  db: Connection,
  { account, limit, resource }: RecordQuery,
  { place, text }: Searching,
): readonly Hit[] {
  const accounts = accountNames(db, account)
  const most = Math.max(Math.ceil((2 * limit) / Math.max(accounts.length, 1)), LEAST_FETCHED)
  const fetched = accounts.map((name) =>
    db.all(HITS, { account: name, resource, ...place, end: `${text}\u{10ffff}`, most }),
  )
  const ends = fetched.flatMap((hits) => (hits.length < most ? [] : hits.slice(-1))).sort(compare)
  const [end] = ends
  const all = fetched.flat().sort(compare)
  return end === undefined ? all : all.filter((hit) => compare(hit, end) <= 0)
}

/** As SQLite orders text: by code points. */
function compare(one: Hit, other: Hit): number {
  if (one.term === other.term) return one.ref - other.ref
  return Buffer.compare(Buffer.from(one.term), Buffer.from(other.term))
}

function isFirst(db: Connection, { ref, term }: Hit, text: string): boolean {
  const terms = parseTerms(db.one(TERMS, ref)?.terms ?? '[]')
  const matching = terms.filter((each) => each.startsWith(text)).map((each) => ({ term: each, ref }))
  return matching.sort(compare)[0]?.term === term
}

function placeOf(cursor: string | undefined): Hit | undefined {
  return readCursor(cursor, LIST, ([term, ref, ...others]) =>
    typeof term === 'string' && isPlaceNumber(ref) && others.length === 0 ? { term, ref } : null,
  )
}
