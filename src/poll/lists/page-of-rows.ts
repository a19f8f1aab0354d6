import { flawOf } from '../../detect/drift/drifted-paths.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { ListGaps } from '../../model/list-gaps.ts'
import type { RecordResource } from '../../model/resource.ts'
import { leftOutAtBaseline } from '../../plan/list-gaps.ts'
import type { Page, RecordRow } from '../../platform/outcome.ts'
import type { Rejection } from '../../store/ports/account-state-port.ts'
import type { PageContents, StoredPage } from '../../store/ports/list-port.ts'

/** What one page showed, and the request that it answered. */
export interface PageOfRows {
  /** Records by id, each once: where one page holds rows of one meaning, the last one stands. */
  readonly records: ReadonlyMap<string, RecordRow>
  /** Ids of rows that cannot be understood. */
  readonly rejectedIds: readonly string[]
  /** The page as it was after its last answer; null where it has no validator, so that the store may have changed since. */
  readonly before: PageContents | null
  /** Ids, as the platform has them, of rows that the baseline could not read: what is not known yet is learnt in silence. */
  readonly leftOut: ReadonlySet<string>
  /** Ids that the pass has met before. */
  readonly metBefore: ReadonlySet<string>
  /** Whether this very answer was judged before, by other rules: it tells nothing new (see `PageReader`). */
  readonly wasJudged: boolean
  readonly exchange: Exchange
  /** About how many bytes of the answer a row is. */
  readonly rowBytes: number
  /** Where the records of the page are from now on; null: they are part of a page that was committed already, or of none. */
  readonly place: PagePlace | null
  /** Whether what it shows as it is known is met by it, too, although it has no place; left out: it is not. */
  readonly isMeeting?: boolean
}

/** A page as it is to be stored. `validator` is null where the page showed anything beside the records committed with it. */
export type PagePlace = Omit<StoredPage, 'lastRead'>

export interface PageShown {
  readonly page: Page
  readonly exchange: Exchange
  readonly before: PageContents | null
  readonly wasJudged: boolean
  /** Where the page is in the list; its `validator` is that of the answer. */
  readonly place: PagePlace
  /** How many rows the answer has that the page is a slice of; left out: the page's own. */
  readonly ofRows?: number
}

/** `met`: the ids of its records that the pass has met before; `leftOut`: see `PageOfRows`. */
export function pageOfRows(
  { before, exchange, ofRows, page, place, wasJudged }: PageShown,
  { leftOut, met }: { readonly leftOut: ReadonlySet<string>; readonly met: ReadonlySet<string> },
): PageOfRows {
  const records = new Map<string, RecordRow>()
  const rejectedIds: string[] = []
  let isWhole = true
  for (const row of page.rows) {
    if (row.kind === 'record') {
      records.set(row.id, row)
      continue
    }
    isWhole = false
    if (row.id !== null) rejectedIds.push(row.id)
  }
  const whole = isWhole ? place : inPart(place)
  const rowBytes = exchange.bytes / Math.max(1, ofRows ?? page.rows.length)
  return { records, rejectedIds, leftOut, metBefore: met, before, wasJudged, exchange, rowBytes, place: whole }
}

/** A page with the records whose ids are wanted, and no other. */
export function onlyRecords(page: PageOfRows, wanted: (id: string) => boolean): PageOfRows {
  const records = new Map([...page.records].filter(([id]) => wanted(id)))
  const isWhole = records.size === page.records.size
  return { ...page, records, place: isWhole || page.place === null ? page.place : inPart(page.place) }
}

/** What of a page the baseline left out. `rowBefore`: the id of the row before it, null where it is not known. */
export function leftOutOn(gaps: ListGaps, { page, place }: PageShown, rowBefore: string | null): ReadonlySet<string> {
  return leftOutAtBaseline(gaps, { skip: place.skip, ids: page.rows.map(({ id }) => id), before: rowBefore })
}

function inPart(place: PagePlace): PagePlace {
  return { ...place, validator: null }
}

/** What of the records of a page cannot be read although they are followed. */
export interface Flaws {
  /** Flaws of the records that are new or changed. */
  readonly flaws: readonly Rejection[]
  /** Whether a record of the page, new or known, has a flaw. */
  readonly isFlawed: (id: string) => boolean
}

export function flawsOf(resource: RecordResource, records: PageOfRows['records']): Flaws {
  const flaws: Rejection[] = []
  for (const [id, row] of records) {
    const reason = row.isKnown ? null : flawOf(resource, row.record)
    if (reason !== null) flaws.push({ id, reason })
  }
  const isFlawed = (id: string): boolean => {
    const row = records.get(id)
    return row !== undefined && flawOf(resource, row.record) !== null
  }
  return { flaws, isFlawed }
}

/** Rows that are judged together. No list that keeps to `take` shows more on a page. */
export const MOST_ROWS = 2_000

/**
 * A page as it is judged: whole, or, where it has more rows than any page should, as if it had come in several answers, one behind the
 * other. Of such a page the same answer is not known again.
 */
export function slicesOf(shown: PageShown): readonly PageShown[] {
  const { page, place } = shown
  const { rows } = page
  if (rows.length <= MOST_ROWS) return [shown]
  const starts = Array.from({ length: Math.ceil(rows.length / SLICE_ROWS) }, (_, index) => index * SLICE_ROWS)
  return starts.map((start) => {
    const own = rows.slice(start, start + SLICE_ROWS)
    // Each is a page of its own: two with one hash would be one that came twice.
    const contentHash = `${place.contentHash} ${start}`
    const at = { ...place, skip: place.skip + start, rows: own.length, contentHash, validator: null }
    return { ...shown, page: { ...page, rows: own }, before: null, place: at, ofRows: rows.length }
  })
}

/** Rows of a larger page that are judged together. */
const SLICE_ROWS = 100

/** Rows beyond these are not kept: the next pass learns them. */
const MOST_KEPT = 10_000

/**
 * Records never seen before wait here until the pass has met enough of the known ones: until then they may be another
 * account's (guarantee D6).
 */
export class UnconfirmedRows {
  readonly #recognisedAfter: number
  readonly #met = new Set<string>()
  #pages: PageOfRows[] = []
  #rows = 0
  /** Rows that were not even kept. */
  #dropped = 0

  constructor(recognisedAfter: number) {
    this.#recognisedAfter = recognisedAfter
  }

  get recognised(): boolean {
    return this.#met.size >= this.#recognisedAfter
  }

  /** Rows that were received and are not committed. */
  get withheld(): number {
    return this.#rows + this.#dropped
  }

  /** Known ids that the pass met. Once they are enough, more need not be reported. */
  meet(ids: Iterable<string>): void {
    for (const id of ids) this.#met.add(id)
  }

  withhold(page: PageOfRows): void {
    if (page.records.size === 0) return
    if (this.#rows + page.records.size > MOST_KEPT) {
      this.#dropped += page.records.size
      return
    }
    this.#pages.push(page)
    this.#rows += page.records.size
  }

  /** Gives the pages that waited, in the order they came; they wait no longer. */
  release(): readonly PageOfRows[] {
    const pages = this.#pages
    this.#pages = []
    this.#rows = 0
    return pages
  }
}
