import type { Exchange } from '../../model/exchange.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { Page, RecordRow } from '../../platform/outcome.ts'
import type { PageContents, StoredPage } from '../../store/list-port.ts'
import type { RecordStore } from '../../store/record-port.ts'
import type { Known } from '../ingest/ingest.ts'

/** What one page showed, and the request that it answered. */
export interface PageOfRows {
  /** Records by id, each once: where one page holds a row twice, the last one stands. */
  readonly records: ReadonlyMap<string, RecordRow>
  /** Ids of rows that cannot be understood. */
  readonly rejectedIds: readonly string[]
  /** The page as it was after its last answer; null where it has no validator, so that the store may have changed since. */
  readonly before: PageContents | null
  /** Ids that the pass has met before. */
  readonly metBefore: ReadonlySet<string>
  readonly exchange: Exchange
  /** Where its records are from now on; null: they are part of a page that was committed already. */
  readonly place: PagePlace | null
}

/** A page as it is to be stored. `validator` is null where the page showed anything beside the records committed with it. */
export type PagePlace = Omit<StoredPage, 'lastRead'>

export interface PageShown {
  readonly page: Page
  readonly exchange: Exchange
  readonly before: PageContents | null
  /** Its `validator` is that of the answer. */
  readonly place: PagePlace
}

/** `met`: ids that the pass has met. */
export function pageOfRows({ before, exchange, page, place }: PageShown, met: ReadonlySet<string>): PageOfRows {
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

/** What is known of the records of a page. Known rows need no look-up while their page is the same as before. */
export async function knownRows(
  store: RecordStore,
  { before, records }: Pick<PageOfRows, 'before' | 'records'>,
  { account, resource, stored }: { account: string; resource: RecordResource; stored: StoredPage | null },
): Promise<ReadonlyMap<string, Known>> {
  const lastRead = stored !== null && before !== null && isSamePage(stored, before) ? before.lastRead : null
  const known = new Map<string, Known>()
  const others: string[] = []
  for (const { id, isKnown, contentHash } of records.values()) {
    if (isKnown && lastRead !== null) known.set(id, { contentHash: contentHash, lastRead })
    else others.push(id)
  }
  for (const [id, record] of await store.known(account, resource, others)) known.set(id, record)
  return known
}

/** The validator would be gone if anything else had shown a record of the page. */
function isSamePage({ lastRead, validator }: StoredPage, other: StoredPage): boolean {
  const isSameRead = lastRead.sentAt === other.lastRead.sentAt && lastRead.answeredAt === other.lastRead.answeredAt
  return validator !== null && validator.contentHash === other.validator?.contentHash && isSameRead
}
