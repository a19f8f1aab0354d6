import type { DeliveryState } from '../../model/delivery.ts'
import type { AccountOverview, EndpointOverview, ListOverview } from '../ports/query-port.ts'
import type { Connection } from '../file/connection.ts'
import { IS_LISTED, JOIN_MADE, MADE_COLUMNS, type OverviewRow, toOverview } from '../endpoints/endpoint-record.ts'
import { auditOf, SHOWN_LIST, type ShownListRow, toListState } from '../lists/list-rows.ts'
import { listReads } from '../lists/list-rows.sqlite.ts'
import { loadRestraint } from '../accounts/accounts.sqlite.ts'
import { Query } from '../file/query.ts'
import { loadRecords } from '../records/record-rows.sqlite.ts'
import { budgetUseOf } from '../accounts/request-counts.sqlite.ts'
import { outermostPosition } from '../deliveries/new-delivery.ts'

interface AccountRow {
  readonly account: string
  readonly last_sequence: number
}

const ACCOUNTS = new Query<AccountRow>(
  `SELECT account, last_sequence FROM accounts WHERE account <> '' ORDER BY account`,
)
const LISTS = new Query<ShownListRow>(`SELECT ${SHOWN_LIST.selected()} FROM lists WHERE account = ? ORDER BY resource`)

/**
 * Every account that was ever polled, by name. Looks at the pages of lists, not at their records; reads no body but the accounts' own.
 * List by list, because SQLite has no LATERAL, and a statement of it is no round trip.
 */
export function accountOverviews(db: Connection, now: number): readonly AccountOverview[] {
  return db.all(ACCOUNTS).map(({ account, last_sequence }) => ({
    account,
    lists: db.all(LISTS, account).map((row) => toListOverview(db, account, row)),
    lastSequence: last_sequence,
    budgetUse: budgetUseOf(db, account, now),
    ...loadRestraint(db, account),
    record: loadRecords(db, { account, resource: 'account' }, [account]).get(account) ?? null,
  }))
}

function toListOverview(db: Connection, account: string, row: ShownListRow): ListOverview {
  const { resource } = row
  return { ...toListState(row), resource, audit: auditOf(row), ...listReads(db, { account, resource }) }
}

const ENDPOINTS = new Query<OverviewRow>(`
  SELECT endpoints.*, ${MADE_COLUMNS},
    ${outermostPosition('DESC', 'INDEXED BY deliveries_position')} AS kept_position
  FROM endpoints ${JOIN_MADE} WHERE ${IS_LISTED} ORDER BY subscription`)
const TALLIES = new Query<{ state: DeliveryState; amount: number }>(
  'SELECT state, amount FROM tallies WHERE subscription = ?',
)
const OLDEST_PENDING = new Query<{ at: number }>(`
  SELECT event.stored_at AS at FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event
  WHERE delivery.subscription = ? AND delivery.state = 'pending' AND delivery.test = 0 ORDER BY delivery.event LIMIT 1`)

/**
 * Every subscription ever known, by name. Costs a few look-ups for each, whatever the size of the ledger: they are statements, because one
 * of SQLite is no round trip.
 */
export function endpointOverviews(db: Connection): readonly EndpointOverview[] {
  return db.all(ENDPOINTS).map((row) => {
    const { subscription } = row
    return toOverview(row, db.all(TALLIES, subscription), db.one(OLDEST_PENDING, subscription)?.at ?? null)
  })
}
