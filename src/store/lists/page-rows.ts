import { ShipbellError } from '../../errors.ts'
import type { PageRead } from '../../ledger/read-rows.ts'
import type { PageWrite, StoredPage } from '../ports/list-port.ts'

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

export function readMeanwhile(account: string, { resource, skip }: PageWrite): ShipbellError {
  return new ShipbellError(
    'store_conflict',
    `The page of ${resource} at ${skip} of account ${account} was read meanwhile: read it again.`,
  )
}
