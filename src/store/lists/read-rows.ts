import { ShipbellError } from '../../errors.ts'
import type { KnownRead, PageRead, ReadAnswer, ReadNews, ReadRow } from '../../ledger/read-rows.ts'
import type { PageWrite, StoredPage } from '../ports/list-port.ts'
import { isOvertaken } from '../../ledger/reads.ts'
import type { BatchChange, ReadBatch } from '../ports/commit-port.ts'

export interface PageRow extends PageRead {
  readonly skip: number
  readonly rows: number
  readonly print: string
  readonly rules: string
  readonly certainIdField: string | null
}

/** The columns of a `PageRow`. */
export const PAGE_COLUMNS = `pages.ref, pages.skip, pages.rows, pages.print, pages.rules, pages.certain_id_field AS "certainIdField",
  pages.digest, pages.etag, pages.sent_at AS "sentAt", pages.answered_at AS "answeredAt", pages.pass`

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

/** A read together with the last one of its page. */
export interface LoadedRead extends ReadRow {
  readonly pageSentAt: number | null
  readonly pageAnsweredAt: number | null
  readonly pagePass: number | null
}

/** The columns of a `LoadedRead`, where the table of reads is called `read`. */
export const READ_COLUMNS = `read.resource, read.id, read.fingerprint, read.etag, read.sent_at AS "sentAt",
  read.answered_at AS "answeredAt", read.pass, read.misses, read.page, pages.sent_at AS "pageSentAt",
  pages.answered_at AS "pageAnsweredAt", pages.pass AS "pagePass"`

export function knownRead({ pageAnsweredAt, pagePass, pageSentAt, ...row }: LoadedRead): KnownRead {
  if (pageAnsweredAt === null || pagePass === null || pageSentAt === null) return { row, ofPage: null }
  return { row, ofPage: { sentAt: pageSentAt, answeredAt: pageAnsweredAt, pass: pagePass } }
}

/** What a batch says of the reads of its account, whose page is `page`. */
export function readAnswerOf({ changes, records }: ReadBatch, page: PageWrite | null): ReadAnswer {
  const list = changes.find((change) => change.kind === 'list')
  return {
    page,
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
