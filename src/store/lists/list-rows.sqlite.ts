import type { RecordResource } from '../../model/resource.ts'
import { listColumns, toListState, UNREAD, type ListRow } from './list-rows.ts'
import type { ListState } from '../ports/list-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const FIND = new Query<ListRow>('SELECT * FROM lists WHERE account = ? AND resource = ?')
const SAVE = `
  INSERT INTO lists (account, resource, pass, pass_started_at, completed_at, baselined_at, largest_page,
    end_probed_at, end_skip, shipment_id_field, baseline_pass, fetch_works, absorbed, twins, gaps)
  VALUES (:account, :resource, :pass, :passStartedAt, :completedAt, :baselinedAt, :largestPage,
    :endProbedAt, :endSkip, :shipmentIdField, :baselinePass, :fetchWorks, :absorbed, :twins, :gaps)
  ON CONFLICT DO UPDATE SET pass = :pass, pass_started_at = :passStartedAt, completed_at = :completedAt,
    baselined_at = :baselinedAt, largest_page = :largestPage, end_probed_at = :endProbedAt, end_skip = :endSkip,
    shipment_id_field = :shipmentIdField, baseline_pass = :baselinePass, fetch_works = :fetchWorks, absorbed = :absorbed, twins = :twins,
    gaps = :gaps`

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
  db.run(SAVE, { account, resource, ...listColumns(state) })
}
