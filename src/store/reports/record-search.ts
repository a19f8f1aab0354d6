import type { Page } from '../../model/page.ts'
import type { RecordResource } from '../../model/resource.ts'
import { accountsAsked } from '../../model/scope.ts'
import {
  gramsOf,
  isFoundBy,
  isIdSearched,
  isInLevel,
  readSearch,
  searchDocument,
  type SearchLevel,
  searchLevels,
  searchReach,
  type SearchText,
} from '../../model/search-text.ts'
import { PLAIN_LETTERS } from '../../model/folded-text.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import { QUEUED_COLUMNS, QUEUED_TABLES, type QueuedRow, storedTerms } from '../search/search-index.ts'
import { chosenAccounts, type Dialect, isOfChosen } from './dialect.ts'
import type { Lookup } from './lookup.ts'
import { isAskedRecord, loadSummaries } from './record-summaries.ts'
import { isPlaceNumber, readCursor, writeCursor } from './ranges.ts'

/** What an index is asked for: records that may be in a level, the newest first. */
export interface IndexAsked {
  readonly level: SearchLevel
  readonly accounts: readonly string[] | undefined
  readonly resource: RecordResource | undefined
  /** Only records whose `ref` is lower. */
  readonly below: number
  readonly most: number
}

/** Asks an index. Some of what it answers may be of other accounts or resources. */
export type AskIndex<Source> = (source: Source, asked: IndexAsked) => Lookup<readonly number[]>

/** Records that one page looks at. */
const MOST_LOOKED_AT = 400
const LEAST_FETCHED = 32
const MOST_FETCHED = 200
/** Up to so many records their own texts tell apart sooner than the index does, level by level. */
const FEW = 128
/** Records of the queue that may be found by a text, of which a page looks at so many: hours of polling may wait for the index. */
const MOST_QUEUED = 1_000
/** Words that the queue is looked through for at most: what that lets through is judged by all of them. */
const WORDS_OF_QUEUE = 3
/** An index is asked for so many accounts at once; of more of them it is asked for all. */
export const MOST_MARKS = 50
const NEWEST = Number.MAX_SAFE_INTEGER

/** What is searched for in one resource, or in all of them. */
interface SearchedQuery extends Omit<RecordQuery, 'resource' | 'q'> {
  readonly resource?: RecordResource | undefined
  readonly q: string
}

/** Where a record stands in what is found. */
interface FoundPlace {
  readonly level: number
  readonly ref: number
}

/** The parts of three characters of records, by `records.ref`. */
type Grams = ReadonlyMap<number, ReadonlySet<string>>

/** A search within one read transaction. */
interface Searching {
  readonly query: SearchedQuery
  readonly text: SearchText
  /** What the index need not be asked for: what waits for it, and all that it has where that is little. */
  readonly known: Grams
  readonly isAllKnown: boolean
}

/**
 * Records that a text finds (`isFoundBy`): whose id it is first, then who has a term that is it, then who has one that begins with it,
 * then the others, each the newest first.
 */
export function recordSearch<Source>(
  dialect: Dialect<Source>,
  ask: AskIndex<Source>,
): (source: Source, query: SearchedQuery) => Lookup<Page<RecordSummary>> {
  const { gramsOfRecords, judge, queuedGrams } = searchStatements(dialect)
  return function* (source, query) {
    const text = readSearch(query.q)
    if (text === null || accountsAsked(query)?.length === 0) return { items: [], next: null }
    const levels = searchLevels(text)
    const queued = yield* queuedGrams(source, query, text)
    const few = yield* fewOf(source, query, text)
    const searching = { query, text, known: new Map([...(few ?? []), ...queued]), isAllKnown: few !== null }
    const page = new FoundPage(query.limit, listOf(query))
    let { level, ref } = readFound(query) ?? { level: 0, ref: NEWEST }
    for (let most = LEAST_FETCHED; level < levels.length; most = Math.min(most * 2, MOST_FETCHED)) {
      const asked = levels[level]
      if (asked === undefined) break
      const { below, refs } = yield* nextRefs(source, searching, { level: asked, below: ref, most })
      const found = yield* judge(source, refs, { ...searching, isOfIds: asked.isOfIds })
      for (const each of refs) if (page.isFullAt({ level, ref: each }, found.get(each))) return page.end()
      ref = below ?? NEWEST
      if (below === null) level += 1
    }
    return page.whole()
  }

  /** All that the index has in any level, where that is little; else null. One question stands for those of all levels then. */
  function* fewOf(...[source, query, text]: readonly [Source, SearchedQuery, SearchText]): Lookup<Grams | null> {
    const asked = { level: searchReach(text), accounts: accountsAsked(query), resource: query.resource }
    const refs = yield* ask(source, { ...asked, below: NEWEST, most: FEW })
    return refs.length < FEW ? yield* gramsOfRecords(source, refs) : null
  }

  /** The next records that may be in a level, and from where on others follow; null: none does. */
  function* nextRefs(
    source: Source,
    { isAllKnown, known, query }: Searching,
    { below, level, most }: Pick<IndexAsked, 'below' | 'level' | 'most'>,
  ): Lookup<{ readonly refs: readonly number[]; readonly below: number | null }> {
    const { resource } = query
    const asked = { level, accounts: accountsAsked(query), resource, below, most }
    const indexed = isAllKnown ? [] : yield* ask(source, asked)
    const last = indexed.length < most ? null : (indexed.at(-1) ?? null)
    const own = [...known].filter(([ref, grams]) => ref < below && ref >= (last ?? 0) && isInLevel(level, grams))
    const others = indexed.filter((ref) => !known.has(ref))
    return { refs: [...others, ...own.map(([ref]) => ref)].sort((one, other) => other - one), below: last }
  }
}

/** How many records of an index a text may find, counted up to `most`. */
export function searchReachOf<Source>(
  ask: AskIndex<Source>,
): (source: Source, query: SearchedQuery, most: number) => Lookup<number> {
  return function* (source, query, most) {
    const text = readSearch(query.q)
    if (text === null) return 0
    const asked = { level: searchReach(text), accounts: accountsAsked(query), resource: query.resource }
    return (yield* ask(source, { ...asked, below: NEWEST, most })).length
  }
}

/** Which of some records, by `records.ref`, a text finds. */
export function foundAmong<Source>(
  dialect: Dialect<Source>,
): (source: Source, q: string, refs: readonly number[]) => Lookup<ReadonlySet<number>> {
  const terms = termsOfRecords(dialect)
  return function* (source, q, refs) {
    const text = readSearch(q)
    if (text === null || refs.length === 0) return new Set()
    const rows = yield* terms(source, { refs })
    return new Set(rows.filter((row) => isFoundBy(text, storedTerms(row))).map(({ ref }) => ref))
  }
}

/** A page of what is found, one record after the other in their order. */
class FoundPage {
  readonly #limit: number
  readonly #list: string
  readonly #items: RecordSummary[] = []
  #looked = 0
  #last: FoundPlace | null = null

  constructor(limit: number, list: string) {
    this.#limit = limit
    this.#list = list
  }

  /** Takes what stands at a place, undefined where that does not match; or says that the page ends before it. */
  isFullAt(place: FoundPlace, found: RecordSummary | undefined): boolean {
    if (this.#looked >= MOST_LOOKED_AT || (found !== undefined && this.#items.length >= this.#limit)) return true
    if (found !== undefined) this.#items.push(found)
    this.#looked += 1
    this.#last = place
    return false
  }

  end(): Page<RecordSummary> {
    return { items: this.#items, next: this.#last && writeCursor(this.#list, [this.#last.level, this.#last.ref]) }
  }

  /** Where nothing follows. */
  whole(): Page<RecordSummary> {
    return { items: this.#items, next: null }
  }
}

/** The name of a list of finds, in its cursors. */
function listOf({ resource }: SearchedQuery): string {
  return resource === undefined ? 'found' : `found ${resource}`
}

function readFound(query: SearchedQuery): FoundPlace | undefined {
  return readCursor(query.cursor, listOf(query), ([level, ref, ...others]) =>
    isPlaceNumber(level) && level >= 0 && isPlaceNumber(ref) && others.length === 0 ? { level, ref } : null,
  )
}

interface TermsRow {
  readonly ref: number
  readonly terms: string
  readonly shared: string | null
}

function termsOfRecords<Source>({ all, isOneOf }: Dialect<Source>) {
  return all<TermsRow>(
    `SELECT record AS ref, terms, shared FROM record_terms WHERE ${isOneOf('record', 'refs', 'bigint')}`,
  )
}

function searchStatements<Source>(dialect: Dialect<Source>) {
  const { all, isOneOf } = dialect
  const summaries = loadSummaries(dialect)
  const terms = termsOfRecords(dialect)
  // Whatever waits is looked through, because in a store of an earlier version nothing is indexed at first.
  const queued = all<QueuedRow>(`
    SELECT ${QUEUED_COLUMNS} FROM ${QUEUED_TABLES}
    WHERE ${wordNames.map(matches).join(' AND ')} AND ${isOfChosen(dialect)} AND :resource IN ('', resource)
    ORDER BY ${matches('is')} DESC, ${matches('begins')} DESC, search_queue.record DESC LIMIT CAST(:most AS integer)`)
  const ofRecords = all<QueuedRow>(`
    SELECT ${QUEUED_COLUMNS} FROM records JOIN record_terms ON record_terms.record = records.ref
    WHERE ${isOneOf('records.ref', 'refs', 'bigint')}`)
  return { gramsOfRecords, judge, queuedGrams }

  /** The records among those of `refs` that the text finds and that are asked for. */
  function* judge(
    source: Source,
    refs: readonly number[],
    { isOfIds, query, text }: Pick<Searching, 'query' | 'text'> & { readonly isOfIds: boolean },
  ): Lookup<ReadonlyMap<number, RecordSummary>> {
    if (refs.length === 0) return new Map()
    const matching = (yield* terms(source, { refs })).filter((row) => isFoundBy(text, storedTerms(row)))
    const accounts = accountsAsked(query)
    const found = yield* summaries(
      source,
      matching.map(({ ref }) => ref),
    )
    const isAsked = (each: RecordSummary): boolean =>
      isIdSearched(text, each.id) === isOfIds &&
      (query.resource ?? each.resource) === each.resource &&
      (accounts?.includes(each.account) ?? true) &&
      isAskedRecord(each, query)
    return new Map([...found].filter(([, each]) => isAsked(each)))
  }

  /** Records of the queue that may be found, the best and newest, with the parts that the index would know of them. */
  function* queuedGrams(...[source, query, text]: readonly [Source, SearchedQuery, SearchText]): Lookup<Grams> {
    const asked = { ...chosenAccounts(query), resource: query.resource ?? '' }
    const rows = yield* queued(source, { ...queuePatterns(text), ...asked, most: MOST_QUEUED })
    return gramsByRecord(rows)
  }

  function* gramsOfRecords(source: Source, refs: readonly number[]): Lookup<Grams> {
    return refs.length === 0 ? new Map() : gramsByRecord(yield* ofRecords(source, { refs }))
  }
}

/** The parts that the index knows, or would know, of records. */
function gramsByRecord(rows: readonly QueuedRow[]): Grams {
  return new Map(rows.map((row) => [row.ref, gramsOf(searchDocument({ ...row, ...storedTerms(row) }))]))
}

function matches(name: string): string {
  return `(${QUEUED_TEXTS.map((text) => `${text} LIKE :${name} ESCAPE '!'`).join(' OR ')})`
}

/** What terms are stored as, as they are compared (`comparable`). Hardly any are more than ASCII. */
const QUEUED_TEXTS = ['record_terms.terms', "coalesce(record_terms.shared, '')"].map((text) => {
  const plain = Object.entries(PLAIN_LETTERS).reduce(
    (sql, [letter, instead]) => `replace(${sql}, '${letter}', '${instead}')`,
    text,
  )
  return `CASE WHEN octet_length(${text}) = length(${text}) THEN ${text} ELSE ${plain} END`
})

const wordNames = Array.from({ length: WORDS_OF_QUEUE }, (_, nth) => `word_${nth}`)

/** Patterns of the lists of terms as they are stored. A text as a whole has each of its words in it, too. */
function queuePatterns({ whole, words }: SearchText): Readonly<Record<string, string>> {
  const longest = words.toSorted((one, other) => other.length - one.length)
  const within = wordNames.map((name, nth) => [name, `%${inList(longest[nth] ?? '')}%`] as const)
  const first = inList(whole ?? words[0] ?? '')
  return { ...Object.fromEntries(within), is: `%"${first}"%`, begins: `%"${first}%` }
}

function inList(term: string): string {
  return JSON.stringify(term)
    .slice(1, -1)
    .replaceAll(/[!%_]/g, (sign) => `!${sign}`)
}
