import { flawOf } from '../../detect/record-flaw.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { Rejection } from '../../store/ports/account-state-port.ts'
import type { PageOfRows } from './page-of-rows.ts'

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
