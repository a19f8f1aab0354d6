import type { RecordResource } from '../../model/resource.ts'
import type { ListState } from '../ports.ts'
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
}

const UNREAD: ListState = {
  pass: 0,
  passStartedAt: null,
  completedAt: null,
  baselinedAt: null,
  largestPage: 0,
  shipmentIdField: null,
}

const FIND = new Query<ListRow>('SELECT * FROM lists WHERE account = ? AND resource = ?')
const SAVE = `
  INSERT INTO lists VALUES (:account, :resource, :pass, :passStartedAt, :completedAt, :baselinedAt, :largestPage, :shipmentIdField)
  ON CONFLICT DO UPDATE SET pass = :pass, pass_started_at = :passStartedAt, completed_at = :completedAt,
    baselined_at = :baselinedAt, largest_page = :largestPage, shipment_id_field = :shipmentIdField`

/** Zero values for a list that was never read. */
export function loadList(db: Connection, account: string, resource: RecordResource): ListState {
  const row = db.one(FIND, account, resource)
  return row === undefined ? UNREAD : toListState(row)
}

export function saveList(
  db: Connection,
  list: { readonly account: string; readonly resource: RecordResource; readonly state: ListState },
): void {
  const { pass, passStartedAt, completedAt, baselinedAt, largestPage, shipmentIdField } = list.state
  db.run(SAVE, {
    account: list.account,
    resource: list.resource,
    pass,
    passStartedAt,
    completedAt,
    baselinedAt,
    largestPage,
    shipmentIdField,
  })
}

export function toListState(row: ListRow): ListState {
  return {
    pass: row.pass,
    passStartedAt: row.pass_started_at,
    completedAt: row.completed_at,
    baselinedAt: row.baselined_at,
    largestPage: row.largest_page,
    shipmentIdField: row.shipment_id_field,
  }
}
