import { flawOf } from '../../detect/unsound.ts'
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
  /** Where the records of the page are from now on; null: they are part of a page that was committed already. */
  readonly place: PagePlace | null
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
}

/** `met`: the ids of its records that the pass has met before; `leftOut`: see `PageOfRows`. */
export function pageOfRows(
  { before, exchange, page, place, wasJudged }: PageShown,
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
  return { records, rejectedIds, leftOut, metBefore: met, before, wasJudged, exchange, place: whole }
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
