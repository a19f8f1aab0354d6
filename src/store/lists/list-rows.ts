import type { ListAudit } from '../../model/list-audit.ts'
import { NO_GAPS, type ListGaps } from '../../model/list-gaps.ts'
import type { IdCollision, KnownList, ListKey, ListState } from '../ports/list-port.ts'
import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'

/** What a pass leaves of its list; what is reported of its answers stands in columns that are written alone. */
export const LIST = TABLES.lists.without('churning', 'lying_validators', 'audit')

export type ListRow = RowOf<typeof LIST>

/** What people are shown of a list. */
export const SHOWN_LIST = TABLES.lists.without('churning', 'lying_validators')

export type ShownListRow = RowOf<typeof SHOWN_LIST>

/** A list with all of its columns, and how many of its records are known. */
export interface KnownListRow extends RowOf<typeof TABLES.lists> {
  readonly records: number
}

/** A list that was never read. */
export const UNREAD: KnownList = {
  pass: 0,
  passStartedAt: null,
  completedAt: null,
  completeFrom: null,
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
  audit: null,
}

export function listRowOf({ account, resource }: ListKey, state: ListState): ListRow {
  const { absorbed, endProbe, fetchWorks, gaps, idCollisions } = state
  return {
    account,
    resource,
    pass: state.pass,
    passStartedAt: state.passStartedAt,
    completedAt: state.completedAt,
    completeFrom: state.completeFrom,
    baselinedAt: state.baselinedAt,
    largestPage: state.largestPage,
    endProbedAt: endProbe?.at ?? null,
    endSkip: endProbe?.skip ?? null,
    shipmentIdField: state.shipmentIdField,
    baselinePass: state.baselinePass,
    fetchWorks: fetchWorks ? 1 : 0,
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
    validatorsLie: row.lyingValidators === 1,
    audit: auditOf(row),
  }
}

/** What samples of a list came to; null: there was none. */
export function auditOf({ audit }: Pick<ShownListRow, 'audit'>): ListAudit | null {
  return audit === null ? null : JSON.parse(audit)
}

export function toListState(row: ListRow): ListState {
  return {
    pass: row.pass,
    passStartedAt: row.passStartedAt,
    completedAt: row.completedAt,
    completeFrom: row.completeFrom,
    baselinedAt: row.baselinedAt,
    largestPage: row.largestPage,
    endProbe: endProbeOf(row),
    shipmentIdField: row.shipmentIdField,
    baselinePass: row.baselinePass,
    fetchWorks: row.fetchWorks === 1,
    absorbed: JSON.parse(row.absorbed),
    idCollisions: twinsOf(row).map(toIdCollision),
    gaps: { ...NO_GAPS, ...gapsOf(row) },
  }
}

function endProbeOf({ endProbedAt: at, endSkip: skip }: ListRow): ListState['endProbe'] {
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

/** The list with its next pass started. */
export function nextPass(last: KnownList, at: number): KnownList {
  const completeFrom = isComplete(last) ? last.passStartedAt : last.completeFrom
  return { ...last, pass: last.pass + 1, passStartedAt: at, completeFrom }
}

/** Whether the last pass reached the list's end. */
export function isComplete({ completedAt, passStartedAt }: ListState): boolean {
  return completedAt !== null && passStartedAt !== null && completedAt >= passStartedAt
}
