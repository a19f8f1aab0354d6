import type { AccountOverview, EndpointOverview, ListOverview } from '../ports/query-port.ts'
import { restraintOf, type RestraintRow } from '../accounts/accounts.ts'
import { minuteOf } from '../accounts/request-counts.ts'
import { auditOf, SHOWN_LIST, type ShownListRow, toListState } from '../lists/list-rows.ts'
import { Query } from '../server/query.ts'
import { loadAccountRecords } from '../records/record-rows.postgres.ts'
import type { DeliveryState } from '../../model/delivery.ts'
import { IS_LISTED, JOIN_MADE, MADE_COLUMNS, type OverviewRow, toOverview } from '../endpoints/endpoint-record.ts'
import type { Database, Transaction } from '../server/database.ts'
import { outermostPosition } from '../deliveries/new-delivery.ts'

interface AccountRow extends RestraintRow {
  readonly account: string
  readonly sequence: number
  readonly requests: number | null
  readonly budgetPerHour: number | null
}

const ACCOUNTS = new Query<AccountRow>(`
  SELECT account, last_sequence AS sequence, pause, ceiling,
    (SELECT sum(amount) FROM requests
      WHERE requests.account = accounts.account AND minute > :since AND minute <= :now) AS requests,
    (SELECT budget_per_hour FROM requests
      WHERE requests.account = accounts.account ORDER BY minute DESC LIMIT 1) AS "budgetPerHour"
  FROM accounts WHERE account <> '' ORDER BY account`)

// The first and the last page of each list in one look at all of them, then other pages from that end on until one holds a record: a
// subquery that is ordered is not looked through whole. The records of a page are ordered for their index: the planner would take the
// first of the table to be soon among all reads.
const LISTS = new Query<ShownListRow & ListReads & { readonly account: string }>(`
  WITH ends AS MATERIALIZED (
    SELECT account, resource, min(ARRAY[answered_at, ref]) AS first, max(ARRAY[answered_at, ref]) AS last FROM pages
    GROUP BY account, resource
  )
  SELECT ${SHOWN_LIST.selected()}, coalesce(sizes.records, 0) AS records,
    least(${readOnPage('first', 'ASC')}, ${readAlone('ASC')}) AS "oldestReadAt",
    greatest(${readOnPage('last', 'DESC')}, ${readAlone('DESC')}) AS "newestReadAt"
  FROM lists LEFT JOIN list_sizes AS sizes USING (account, resource) LEFT JOIN ends USING (account, resource)
  WHERE lists.account <> '' ORDER BY lists.account, lists.resource`)

type ListReads = Pick<ListOverview, 'records' | 'oldestReadAt' | 'newestReadAt'>

/** The condition that a record is on a page. */
function holdsARead(page: string): string {
  return `(SELECT 1 FROM reads WHERE page = ${page} AND misses IS NOT NULL ORDER BY pass LIMIT 1) = 1`
}

/** When the first record that is on a page was read; null: none is. */
function readOnPage(end: 'first' | 'last', direction: 'ASC' | 'DESC'): string {
  return `CASE
    WHEN ends.${end} IS NULL THEN NULL
    WHEN ${holdsARead(`ends.${end}[2]`)} THEN ends.${end}[1]
    ELSE (
      SELECT at FROM (
        SELECT ref, answered_at AS at FROM pages WHERE ${ofList('pages')} ORDER BY answered_at ${direction} OFFSET 0
      ) AS page
      WHERE ${holdsARead('page.ref')} LIMIT 1)
    END`
}

/** When the first record that is on no page was read; null: none is. */
function readAlone(direction: 'ASC' | 'DESC'): string {
  return `(
    SELECT answered_at FROM reads WHERE ${ofList('reads')} AND page IS NULL AND misses IS NOT NULL
    ORDER BY answered_at ${direction} LIMIT 1)`
}

/**
 * Every account that was ever polled, by name. Looks at the pages of lists, not at their records; reads no body but the accounts' own. All
 * lists at once, because each statement is a round trip.
 */
export async function accountOverviews(
  { db, tx }: { readonly db: Database; readonly tx: Transaction },
  now: number,
): Promise<readonly AccountOverview[]> {
  const minute = minuteOf(now)
  const accounts = await tx.all(ACCOUNTS, { since: minute - 60, now: minute })
  const lists = Map.groupBy(await tx.all(LISTS), ({ account }) => account)
  const names = accounts.map(({ account }) => account)
  const records = await loadAccountRecords(db, names, tx)
  return accounts.map(({ account, sequence, ...row }) => ({
    account,
    lists: (lists.get(account) ?? []).map(toListOverview),
    lastSequence: sequence,
    budgetUse: budgetUse(row),
    ...restraintOf(row),
    record: records.get(account) ?? null,
  }))
}

function toListOverview(row: ShownListRow & ListReads): ListOverview {
  const { newestReadAt, oldestReadAt, records, resource } = row
  return { ...toListState(row), resource, audit: auditOf(row), records, oldestReadAt, newestReadAt }
}

function budgetUse({
  budgetPerHour,
  requests,
}: Pick<AccountRow, 'requests' | 'budgetPerHour'>): AccountOverview['budgetUse'] {
  return requests === null || budgetPerHour === null ? null : { requests, budgetPerHour }
}

function ofList(table: string): string {
  return `${table}.account = lists.account AND ${table}.resource = lists.resource`
}

interface EndpointRow extends OverviewRow {
  readonly oldestPendingAt: number | null
  readonly states: readonly DeliveryState[] | null
  readonly amounts: readonly string[] | null
}

const ENDPOINTS = new Query<EndpointRow>(`
  SELECT endpoints.*, ${MADE_COLUMNS}, tally.states, tally.amounts, (
      SELECT stored_at FROM events WHERE ref = (
        SELECT event FROM deliveries
        WHERE subscription = endpoints.subscription AND state = 'pending' AND test = 0 ORDER BY event LIMIT 1
      )
    ) AS "oldestPendingAt", ${outermostPosition('DESC')} AS kept_position
  FROM endpoints LEFT JOIN LATERAL (
    SELECT array_agg(state) AS states, array_agg(amount::text) AS amounts FROM tallies
    WHERE subscription = endpoints.subscription
  ) AS tally ON true ${JOIN_MADE}
  WHERE ${IS_LISTED}
  ORDER BY endpoints.subscription`)

/**
 * Every subscription ever known, by name. Costs a few look-ups for each, whatever the size of the ledger: in one statement, because each
 * is a round trip.
 */
export async function endpointOverviews(db: Pick<Transaction, 'all'>): Promise<readonly EndpointOverview[]> {
  return (await db.all(ENDPOINTS)).map((row) => {
    const { amounts, oldestPendingAt, states } = row
    const tallies = (states ?? []).map((state, nth) => ({ state, amount: Number(amounts?.[nth] ?? 0) }))
    return toOverview(row, tallies, oldestPendingAt)
  })
}
