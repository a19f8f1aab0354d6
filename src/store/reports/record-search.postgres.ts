import { parseTerms } from '../records/record-rows.ts'
import type { Page } from '../../model/page.ts'
import { accountsAsked } from '../../model/scope.ts'
import { searchTerm } from '../../model/search-terms.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
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
import { accountNames } from './dialect.ts'
import { Query } from '../server/query.ts'
import { POSTGRES, type ReportSource } from './dialect.postgres.ts'
import { awaited } from './lookup.ts'

const HITS = new Query<Hit & { readonly nth: number }>(`
  SELECT asked.nth, hit.term, hit.ref
  FROM unnest(:accounts::text[]) WITH ORDINALITY AS asked(account, nth) CROSS JOIN LATERAL (
    SELECT term, record AS ref FROM terms
    WHERE account = asked.account AND resource = :resource AND (term, record) > (:term, :ref) AND term < :end
    ORDER BY term, record LIMIT :most
  ) AS hit
  ORDER BY asked.nth, hit.term, hit.ref`)
const TERMS = new Query<{ record: number; terms: string }>(
  'SELECT record, terms FROM record_terms WHERE record = ANY(:refs::bigint[])',
)

const [names, summaries] = [accountNames(POSTGRES), loadSummaries(POSTGRES)]

/**
 * `RecordQueryStore.recordPage` with `q`, inside the caller's transaction. Each record is found once, by the first of its terms that
 * match. All accounts are asked at once, and all hits looked up at once, because each statement is a round trip.
 */
export async function foundRecords(
  source: ReportSource,
  query: RecordQuery & { readonly q: string },
): Promise<Page<RecordSummary>> {
  const { tx } = source
  const text = searchTerm(query.q)
  if (text === '') return { items: [], next: null }
  const accounts = await awaited(names(source, accountsAsked(query)))
  const items: RecordSummary[] = []
  let place = readHit(query.cursor) ?? { term: text, ref: -1 }
  let looked = 0
  for (;;) {
    const hits = await nextHits(tx, { ...query, accounts }, { text, place })
    if (hits.length === 0) return { items, next: null }
    const summaries = await summariesOf(source, hits, text)
    for (const hit of hits) {
      if (items.length >= query.limit || looked >= MOST_HITS_LOOKED_AT) return { items, next: hitCursor(place) }
      const found = summaries.get(hit)
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

async function nextHits(
  tx: ReportSource['tx'],
  query: RecordQuery & { readonly accounts: readonly string[] },
  { place: { ref, term }, text }: Searching,
): Promise<readonly Hit[]> {
  const { accounts, resource } = query
  const most = hitsOfEach(query, accounts.length)
  const found = await tx.all(HITS, { accounts, resource, ref, term, end: `${text}\u{10ffff}`, most })
  return mergedHits([...Map.groupBy(found, ({ nth }) => nth).values()], most)
}

/** The records of those hits that are the first of theirs. */
async function summariesOf(
  source: ReportSource,
  hits: readonly Hit[],
  text: string,
): Promise<ReadonlyMap<Hit, RecordSummary>> {
  const refs = [...new Set(hits.map(({ ref }) => ref))]
  const terms = new Map((await source.tx.all(TERMS, { refs })).map((row) => [row.record, parseTerms(row.terms)]))
  const first = hits.filter((hit) => isFirstHit(hit, text, terms.get(hit.ref) ?? []))
  const found = await awaited(
    summaries(
      source,
      first.map(({ ref }) => ref),
    ),
  )
  return new Map(
    first.flatMap((hit) => {
      const summary = found.get(hit.ref)
      return summary === undefined ? [] : [[hit, summary] as const]
    }),
  )
}
