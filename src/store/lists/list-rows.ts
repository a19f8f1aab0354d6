import { NO_GAPS, type ListGaps } from '../../model/list-gaps.ts'
import type { IdCollision, KnownList, ListKey, ListState } from '../ports/list-port.ts'
import type { RowOf } from '../tables/table.ts'
import type { LISTS } from '../tables/tables.ts'

export type ListRow = RowOf<typeof LISTS>

/** The columns of a list that are written alone, and how many of its records are known. */
export interface KnownListRow extends ListRow {
  readonly churning: string
  readonly lying_validators: number
  readonly records: number
}

/** A list that was never read. */
export const UNREAD: KnownList = {
  pass: 0,
  passStartedAt: null,
  completedAt: null,
  baselinedAt: null,
  largestPage: 0,
  endProbe: null,
  shipmentIdField: null,
  baselinePass: null,
  fetchWorks: false,
  absorbed: [],
  idCollisions: [],
  gaps: NO_GAPS,
  records: 0,
  churning: [],
  validatorsLie: false,
}

export function listRowOf({ account, resource }: ListKey, state: ListState): ListRow {
  const { absorbed, endProbe, fetchWorks, gaps, idCollisions } = state
  return {
    account,
    resource,
    pass: state.pass,
    pass_started_at: state.passStartedAt,
    completed_at: state.completedAt,
    baselined_at: state.baselinedAt,
    largest_page: state.largestPage,
    end_probed_at: endProbe?.at ?? null,
    end_skip: endProbe?.skip ?? null,
    shipment_id_field: state.shipmentIdField,
    baseline_pass: state.baselinePass,
    fetch_works: fetchWorks ? 1 : 0,
    absorbed: JSON.stringify(absorbed),
    twins: JSON.stringify(idCollisions.map(toTwin)),
    gaps: JSON.stringify(gapsToKeep(gaps)),
  }
}

export function toKnownList(row: KnownListRow): KnownList {
  return {
    ...toListState(row),
    records: row.records,
    churning: JSON.parse(row.churning),
    validatorsLie: row.lying_validators === 1,
  }
}

export function toListState(row: ListRow): ListState {
  return {
    pass: row.pass,
    passStartedAt: row.pass_started_at,
    completedAt: row.completed_at,
    baselinedAt: row.baselined_at,
    largestPage: row.largest_page,
    endProbe: endProbeOf(row),
    shipmentIdField: row.shipment_id_field,
    baselinePass: row.baseline_pass,
    fetchWorks: row.fetch_works === 1,
    absorbed: JSON.parse(row.absorbed),
    idCollisions: twinsOf(row).map(toIdCollision),
    gaps: { ...NO_GAPS, ...gapsOf(row) },
  }
}

function endProbeOf({ end_probed_at: at, end_skip: skip }: ListRow): ListState['endProbe'] {
  return at === null || skip === null ? null : { at, skip }
}

/** What is not as it is in most lists. */
function gapsToKeep(gaps: ListGaps): Partial<ListGaps> {
  return {
    ...(gaps.places.length === 0 ? {} : { places: gaps.places }),
    ...(gaps.unreadFrom === null ? {} : { unreadFrom: gaps.unreadFrom }),
    ...(gaps.incomplete === null ? {} : { incomplete: gaps.incomplete }),
    ...(gaps.catchingUp === null ? {} : { catchingUp: gaps.catchingUp }),
  }
}

function gapsOf({ gaps }: ListRow): Partial<ListGaps> {
  return JSON.parse(gaps)
}

/** An id collision as it is stored. */
type Twin = Omit<IdCollision, 'hashes'> & { readonly prints: IdCollision['hashes'] }

function twinsOf({ twins }: ListRow): readonly Twin[] {
  return JSON.parse(twins)
}

function toTwin({ id, hashes, ...rest }: IdCollision): Twin {
  return { id, prints: hashes, ...rest }
}

function toIdCollision({ id, prints, ...rest }: Twin): IdCollision {
  return { id, hashes: prints, ...rest }
}

/** Whether the last pass reached the list's end. */
export function isComplete({ completedAt, passStartedAt }: ListState): boolean {
  return completedAt !== null && passStartedAt !== null && completedAt >= passStartedAt
}
