import { ShipbellError } from '../../errors.ts'
import type { SamePage, StoredPage } from '../ports/list-port.ts'

export interface PageRow {
  readonly ref: number
  readonly skip: number
  readonly rows: number
  readonly print: string
  readonly rules: string
  readonly certain_id_field: string | null
  readonly digest: string | null
  readonly etag: string | null
  readonly sent_at: number
  readonly answered_at: number
  readonly pass: number
}

export function pageOf(row: PageRow): StoredPage {
  const { certain_id_field: certainIdField, digest, etag, print, rows, rules, skip } = row
  const lastRead = { sentAt: row.sent_at, answeredAt: row.answered_at }
  const validator = digest === null ? null : { contentHash: digest, etag }
  return { skip, rows, contentHash: print, rules, certainIdField, validator, lastRead }
}

/** Whether a page is still the one that was read. */
export function isKnownPage(page: PageRow, { validator, lastRead }: SamePage['known']): boolean {
  const isSame = page.digest !== null && page.digest === validator?.contentHash
  return isSame && page.sent_at === lastRead.sentAt && page.answered_at === lastRead.answeredAt
}

export function readMeanwhile(account: string, { resource, skip }: SamePage): ShipbellError {
  return new ShipbellError(
    'store_conflict',
    `The page of ${resource} at ${skip} of account ${account} was read meanwhile: read it again.`,
  )
}
