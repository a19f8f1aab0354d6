import type { Exchange } from '../model/exchange.ts'
import type { Page, RecordRow } from '../platform/outcome.ts'
import type { PageContents, StoredPage } from '../store/page-port.ts'

/** What one page showed, and the request that it answered. */
export interface PageOfRows {
  /** Records by id, each once: where one page holds a row twice, the last one stands. */
  readonly records: ReadonlyMap<string, RecordRow>
  /** Ids of rows that cannot be understood. */
  readonly rejectedIds: readonly string[]
  /** The page as it was when its last answer was judged, which showed all rows that are known; null: nobody vouches for that. */
  readonly before: PageContents | null
  /** Ids that the pass has met before. */
  readonly metBefore: ReadonlySet<string>
  readonly exchange: Exchange
  /** Where its records are from now on; null: they are part of a page that was committed already. */
  readonly place: PagePlace | null
}

/** A page as it is to be stored; no `validator` where it showed anything but the records that are committed with it. */
export type PagePlace = Omit<StoredPage, 'lastRead'>

export interface PageShown {
  readonly page: Page
  readonly exchange: Exchange
  readonly before: PageContents | null
  /** Its `validator` is that of the answer. */
  readonly place: PagePlace
  /** Ids that the pass has met. */
  readonly met: ReadonlySet<string>
}

export function pageOfRows({ before, exchange, met, page, place }: PageShown): PageOfRows {
  const records = page.rows.filter((row) => row.kind === 'record')
  const rejected = page.rows.filter((row) => row.kind === 'rejected')
  return {
    records: new Map(records.map((row) => [row.id, row])),
    rejectedIds: rejected.flatMap(({ id }) => (id === null ? [] : [id])),
    metBefore: new Set(records.map(({ id }) => id).filter((id) => met.has(id))),
    before,
    exchange,
    place: rejected.length === 0 ? place : inPart(place),
  }
}

/** The same page with the records whose ids are wanted, and no other. */
export function onlyRecords(page: PageOfRows, wanted: (id: string) => boolean): PageOfRows {
  const records = new Map([...page.records].filter(([id]) => wanted(id)))
  const isWhole = records.size === page.records.size
  return { ...page, records, place: isWhole || page.place === null ? page.place : inPart(page.place) }
}

function inPart(place: PagePlace): PagePlace {
  return { ...place, validator: null }
}
