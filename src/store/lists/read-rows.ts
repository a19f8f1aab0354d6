import type { PlainRowOf, RowOf } from '../tables/table.ts'
import type { KnownRecord } from '../ports/record-port.ts'
import { TABLES } from '../tables/tables.ts'
import { ShipbellError } from '../../errors.ts'
import type { KnownRead, PageRead, ReadAnswer, ReadNews, ReadRow } from '../../ledger/read-rows.ts'
import type { PageWrite, StoredPage } from '../ports/list-port.ts'
import { isOvertaken } from '../../ledger/reads.ts'
import type { BatchChange, ReadBatch } from '../ports/commit-port.ts'

const PAGE = TABLES.pages.without('account', 'resource')
const MOVED = TABLES.pages.only('digest etag sent_at answered_at pass')

export type PageRow = RowOf<typeof PAGE>

export const PAGE_COLUMNS = PAGE.selected()
export const ADD_PAGE = TABLES.pages.without('ref').insertNamed
/** What an answer shows takes the place of what its page held. */
export const SHOW_PAGE = `UPDATE pages SET ${PAGE.without('ref', 'skip').settings} WHERE ref = :ref`
/** What the page holds stays as it is. */
export const MOVE_PAGE = `UPDATE pages SET ${MOVED.settings} WHERE ref = :ref`

export function pageOf(row: PageRow): StoredPage {
  const { answeredAt, certainIdField, digest, etag, print, rows, rules, sentAt, skip } = row
  const validator = digest === null ? null : { contentHash: digest, etag }
  return { skip, rows, contentHash: print, rules, certainIdField, validator, lastRead: { sentAt, answeredAt } }
}

function readMeanwhile(account: string, { resource, skip }: PageWrite): ShipbellError {
  return new ShipbellError(
    'store_conflict',
    `The page of ${resource} at ${skip} of account ${account} was read meanwhile: read it again.`,
  )
}

const KNOWN = TABLES.reads.only('id fingerprint etag sent_at answered_at misses')

/** A read, or the last one of its page where it is on one. */
export type KnownRow = PlainRowOf<typeof KNOWN>

export function knownRecord(row: KnownRow): KnownRecord {
  const { answered_at: answeredAt, etag, fingerprint: contentHash, misses, sent_at: sentAt } = row
  return { contentHash, etag, lastRead: { sentAt, answeredAt }, removed: misses === null, misses: misses ?? 0 }
}

/** A read together with the last one of its page. */
export interface LoadedRead extends ReadRow {
  readonly pageSentAt: number | null
  readonly pageAnsweredAt: number | null
  readonly pagePass: number | null
}

/** The columns of a `LoadedRead`, where the table of reads is called `read`. */
export const READ_COLUMNS = `${TABLES.reads.without('account').selected('read')}, pages.sent_at AS "pageSentAt",
  pages.answered_at AS "pageAnsweredAt", pages.pass AS "pagePass"`

export function knownRead({ pageAnsweredAt, pagePass, pageSentAt, ...row }: LoadedRead): KnownRead {
  if (pageAnsweredAt === null || pagePass === null || pageSentAt === null) return { row, ofPage: null }
  return { row, ofPage: { sentAt: pageSentAt, answeredAt: pageAnsweredAt, pass: pagePass } }
}

/** What a batch says of the reads of its account, whose page is `page`. */
export function readAnswerOf({ changes, records }: ReadBatch, page: PageWrite | null): ReadAnswer {
  const list = changes.find((change) => change.kind === 'list')
  const ahead = changes.find((change) => change.kind === 'ahead')
  return {
    page,
    ahead,
    met: list === undefined ? null : { resource: list.resource, pass: list.state.pass },
    shown: records.filter((write) => write.read !== 'none'),
    news: changes.filter(isReadNews),
  }
}

function isReadNews(change: BatchChange): change is BatchChange & ReadNews {
  return change.kind === 'unchanged' || change.kind === 'met' || change.kind === 'missed'
}

export function pageIn({ changes }: ReadBatch): PageWrite | null {
  return changes.find((change) => change.kind === 'page')?.page ?? null
}

/** Throws `store_conflict` where the page that an answer was compared with has been read meanwhile. */
export function refuseOvertaken(account: string, write: PageWrite | null, page: PageRead | undefined): void {
  if (write !== null && isOvertaken(write, page)) throw readMeanwhile(account, write)
}
