import { ENDINGS, listingOf } from '../../model/record-listing.ts'
import { NO_OUTLINE, outlineOf } from '../../model/record-outline.ts'
import type { RecordState } from '../../model/record-state.ts'
import { isRecordResource, type SubjectResource } from '../../model/resource.ts'

/** A record that an earlier version stored, which is not listed yet. */
export interface UnlistedRow {
  readonly ref: number
  readonly account: string
  readonly resource: SubjectResource
  readonly id: string
}

/** Rows of one list each. */
export function byList(rows: readonly UnlistedRow[]): readonly (readonly [UnlistedRow, ...UnlistedRow[]])[] {
  const lists = Map.groupBy(rows, ({ account, resource }) => JSON.stringify([account, resource]))
  return [...lists.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others] as const]))
}

/** What a row is listed by. Records without a read, and what is no record of the platform, are in no list: they are done with all the same. */
export function listedColumns(row: UnlistedRow, state: RecordState | undefined) {
  const { kind, totals } =
    state === undefined || !isRecordResource(state.resource) ? NO_OUTLINE : outlineOf(state.resource, state.seen)
  const listing = state === undefined ? { ending: ENDINGS.open, etaAt: null, drift: null } : listingOf(state)
  return { ref: row.ref, kind, totals, ...listing }
}
