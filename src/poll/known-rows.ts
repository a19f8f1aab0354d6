import type { Read } from '../model/record-state.ts'
import type { KnownRecord } from '../store/known-record.ts'
import type { RecordResource } from '../model/resource.ts'
import type { RecordRow } from '../platform/outcome.ts'
import type { PageContents, StoredPage } from '../store/page-port.ts'
import type { PollStore } from '../store/ports.ts'

interface RowsOfPage {
  readonly account: { readonly name: string }
  readonly resource: RecordResource
  readonly records: ReadonlyMap<string, RecordRow>
  /** The page as it was when its rows were found to be known; null: nobody vouches for it. */
  readonly before: PageContents | null
}

type Known = Pick<KnownRecord, 'contentHash' | 'lastRead'>

/** What is known of the records of a page. Of rows that are known there is nothing to look up while their page is what it was. */
export async function knownRows(
  store: PollStore,
  { account, before, records, resource }: RowsOfPage,
  stored: StoredPage | null,
): Promise<ReadonlyMap<string, Known>> {
  const lastRead = stored !== null && before !== null && isSamePage(stored, before) ? before.lastRead : null
  const known = new Map<string, Known>()
  const others: string[] = []
  for (const { id, isKnown, contentHash } of records.values()) {
    if (isKnown && lastRead !== null) known.set(id, { contentHash: contentHash, lastRead })
    else others.push(id)
  }
  for (const [id, record] of await store.known(account.name, resource, others)) known.set(id, record)
  return known
}

/** The validator would be gone had anything else told of a record on it. */
function isSamePage({ lastRead, validator }: StoredPage, other: StoredPage): boolean {
  return (
    validator !== null && validator.contentHash === other.validator?.contentHash && isSameRead(lastRead, other.lastRead)
  )
}

function isSameRead(one: Read, other: Read): boolean {
  return one.sentAt === other.sentAt && one.answeredAt === other.answeredAt
}
