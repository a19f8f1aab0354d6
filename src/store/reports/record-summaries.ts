import type { RecordSummary } from '../ports/record-query-port.ts'
import type { Dialect } from './dialect.ts'
import type { Lookup } from './lookup.ts'
import { toSummary, type SummaryRow } from './record-summary.ts'

/** Records by `ref`; those of which nothing was read are left out. */
export function loadSummaries<Source>({
  all,
  isOneOf,
  rowOfKey,
}: Dialect<Source>): (source: Source, refs: readonly number[]) => Lookup<ReadonlyMap<number, RecordSummary>> {
  const key = { account: 'records.account', resource: 'records.resource', id: 'records.id' }
  const rows = all<SummaryRow & { readonly ref: number }>(`
    SELECT records.ref, records.account, records.resource, records.id, name, status, removed_at, version, last_event_at,
      due_day, coalesce(pages.answered_at, reads.answered_at) AS last_read_at
    FROM records JOIN ${rowOfKey('reads', key)} LEFT JOIN pages ON pages.ref = reads.page
    WHERE ${isOneOf('records.ref', 'refs', 'bigint')}`)
  return function* (source, refs) {
    return new Map((yield* rows(source, { refs })).map((row) => [row.ref, toSummary(row)]))
  }
}
