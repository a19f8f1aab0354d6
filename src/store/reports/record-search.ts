import type { RecordQuery } from '../ports/record-query-port.ts'
import { isPlaceNumber, readCursor, writeCursor } from './ranges.ts'

const LIST = 'found'

/** Terms that one page looks at. */
export const MOST_HITS_LOOKED_AT = 400
/** How many terms of each account are fetched at once at least. */
const LEAST_FETCHED = 8

/** A term of a record. A term that is the text itself comes before those that begin with it. */
export interface Hit {
  readonly term: string
  readonly ref: number
}

/** How many terms are fetched at once of each account. */
export function hitsOfEach({ limit }: RecordQuery, accounts: number): number {
  return Math.max(Math.ceil((2 * limit) / Math.max(accounts, 1)), LEAST_FETCHED)
}

/** What follows in all accounts, in one order, where `fetched` is what follows in each, at most `most` of each. */
export function mergedHits(fetched: readonly (readonly Hit[])[], most: number): readonly Hit[] {
  const ends = fetched.flatMap((hits) => (hits.length < most ? [] : hits.slice(-1))).sort(compareHits)
  const [end] = ends
  const all = fetched.flat().sort(compareHits)
  return end === undefined ? all : all.filter((hit) => compareHits(hit, end) <= 0)
}

/** Whether it is the first of the record's terms that begin with the text. */
export function isFirstHit({ ref, term }: Hit, text: string, terms: readonly string[]): boolean {
  const matching = terms.filter((each) => each.startsWith(text)).map((each) => ({ term: each, ref }))
  return matching.sort(compareHits)[0]?.term === term
}

export function readHit(cursor: string | undefined): Hit | undefined {
  return readCursor(cursor, LIST, ([term, ref, ...others]) =>
    typeof term === 'string' && isPlaceNumber(ref) && others.length === 0 ? { term, ref } : null,
  )
}

export function hitCursor({ ref, term }: Hit): string {
  return writeCursor(LIST, [term, ref])
}

/** Compares hits as stores order text: by code points. */
function compareHits(one: Hit, other: Hit): number {
  if (one.term === other.term) return one.ref - other.ref
  return Buffer.compare(Buffer.from(one.term), Buffer.from(other.term))
}
