import type { RecordResource } from '../../model/resource.ts'
import type { IdCollision, ListState } from '../list-port.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

export interface ListRow {
  readonly resource: RecordResource
  readonly pass: number
  readonly pass_started_at: number | null
  readonly completed_at: number | null
  readonly baselined_at: number | null
  readonly largest_page: number
  readonly shipment_id_field: string | null
  readonly baseline_pass: number | null
  readonly end_probed_at: number | null
  readonly end_skip: number | null
  readonly fetch_works: number
  readonly absorbed: string
  readonly twins: string
}

const UNREAD: ListState = {
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
}

const FIND = new Query<ListRow>('SELECT * FROM lists WHERE account = ? AND resource = ?')
const SAVE = `
  INSERT INTO lists (account, resource, pass, pass_started_at, completed_at, baselined_at, largest_page,
    end_probed_at, end_skip, shipment_id_field, baseline_pass, fetch_works, absorbed, twins)
  VALUES (:account, :resource, :pass, :passStartedAt, :completedAt, :baselinedAt, :largestPage,
    :endProbedAt, :endSkip, :shipmentIdField, :baselinePass, :fetchWorks, :absorbed, :twins)
  ON CONFLICT DO UPDATE SET pass = :pass, pass_started_at = :passStartedAt, completed_at = :completedAt,
    baselined_at = :baselinedAt, largest_page = :largestPage, end_probed_at = :endProbedAt, end_skip = :endSkip,
    shipment_id_field = :shipmentIdField, baseline_pass = :baselinePass, fetch_works = :fetchWorks, absorbed = :absorbed, twins = :twins`

/** Zero values for a list that was never read. */
export function loadList(db: Connection, account: string, resource: RecordResource): ListState {
  const row = db.one(FIND, account, resource)
  return row === undefined ? UNREAD : toListState(row)
}

export function saveList(
  db: Connection,
  list: { readonly account: string; readonly resource: RecordResource; readonly state: ListState },
): void {
  const { account, resource, state } = list
  const { pass, passStartedAt, completedAt, baselinedAt, endProbe, largestPage, shipmentIdField, baselinePass } = state
  const end = { endProbedAt: endProbe?.at ?? null, endSkip: endProbe?.skip ?? null }
  const progress = { pass, passStartedAt, completedAt, baselinedAt, baselinePass }
  const fetchWorks = state.fetchWorks ? 1 : 0
  const absorbed = JSON.stringify(state.absorbed)
  const twins = JSON.stringify(state.idCollisions.map(toTwin))
  db.run(SAVE, { account, resource, ...progress, ...end, largestPage, shipmentIdField, fetchWorks, absorbed, twins })
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
  }
}

function endProbeOf({ end_probed_at: at, end_skip: skip }: ListRow): ListState['endProbe'] {
  return at === null || skip === null ? null : { at, skip }
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
