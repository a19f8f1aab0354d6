import type { DeliveryState } from '../../model/delivery.ts'
import type { AccountOverview, EndpointOverview, ListOverview } from '../query-port.ts'
import type { Connection } from './connection.ts'
import { toFacts, type FactsRow } from './endpoint-facts.ts'
import { endpointNames } from './endpoint-gate.ts'
import { toListState, type ListRow } from './list-rows.ts'
import { loadPause } from './pause-rows.ts'
import { Query } from './query.ts'
import { loadRecords } from './record-rows.ts'
import { budgetUseOf } from './request-counts.ts'
import { loadSteady } from './steady-row.ts'

interface AccountRow {
  readonly account: string
  readonly last_sequence: number
}

interface CountedListRow extends ListRow {
  readonly records: number
  readonly oldest: number | null
  readonly newest: number | null
}

const ACCOUNTS = new Query<AccountRow>(
  `SELECT account, last_sequence FROM accounts WHERE account <> '' ORDER BY account`,
)
const LISTS = new Query<CountedListRow>(`
  SELECT lists.*, count(reads.id) AS records, min(ifnull(pages.answered_at, reads.answered_at)) AS oldest,
    max(ifnull(pages.answered_at, reads.answered_at)) AS newest
  FROM lists LEFT JOIN reads
    ON reads.account = lists.account AND reads.resource = lists.resource AND reads.misses IS NOT NULL
  LEFT JOIN pages ON pages.ref = reads.page
  WHERE lists.account = ? GROUP BY lists.account, lists.resource ORDER BY lists.resource`)

/** Every account that was ever polled, by name. Scans reads, which are narrow; reads no body but the accounts' own. */
export function accountOverviews(db: Connection, now: number): readonly AccountOverview[] {
  return db.all(ACCOUNTS).map(({ account, last_sequence }) => ({
    account,
    lists: db.all(LISTS, account).map(toListOverview),
    lastSequence: last_sequence,
    budgetUse: budgetUseOf(db, account, now),
    pause: loadPause(db, account),
    record: loadRecords(db, { account, resource: 'account' }, [account]).get(account) ?? null,
  }))
}

function toListOverview(row: CountedListRow): ListOverview {
  return {
    ...toListState(row),
    resource: row.resource,
    records: row.records,
    oldestReadAt: row.oldest,
    newestReadAt: row.newest,
  }
}

interface EndpointRow extends FactsRow {
  readonly configured: number
  readonly enabled: number
}

const ENDPOINTS = new Query<EndpointRow>('SELECT * FROM endpoints ORDER BY subscription')
const TALLIES = new Query<{ state: DeliveryState; amount: number }>(
  'SELECT state, amount FROM tallies WHERE subscription = ?',
)
const OLDEST_PENDING = new Query<{ at: number }>(`
  SELECT event.stored_at AS at FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event
  WHERE delivery.subscription = ? AND delivery.state = 'pending' AND delivery.test = 0 ORDER BY delivery.event LIMIT 1`)

const DEFERRED = new Query<{ amount: number }>(`
  SELECT count(*) AS amount FROM deliveries INDEXED BY deliveries_waiting
  WHERE subscription = ? AND state = 'pending' AND turn IS NOT 0 AND wake_at > ?
    AND claimed_by IS NULL AND round = 0 AND test = 0`)

/** What no attempt put off. Costs a look at each row that waits. */
export function deferredRows(db: Connection, now: number): number {
  const steadyNow = now + loadSteady(db).aheadMs
  return endpointNames(db).reduce((sum, name) => sum + (db.one(DEFERRED, name, steadyNow)?.amount ?? 0), 0)
}

/** Every subscription ever known, by name. Costs a few look-ups for each, whatever the size of the ledger. */
export function endpointOverviews(db: Connection): readonly EndpointOverview[] {
  return db.all(ENDPOINTS).map((row) => toOverview(db, row))
}

function toOverview(db: Connection, row: EndpointRow): EndpointOverview {
  const { subscription } = row
  return {
    ...toFacts(row),
    configured: row.configured === 1,
    enabled: row.enabled === 1,
    counts: counts(db, subscription),
    oldestPendingAt: db.one(OLDEST_PENDING, subscription)?.at ?? null,
  }
}

function counts(db: Connection, subscription: string): EndpointOverview['counts'] {
  const amounts = { pending: 0, delivered: 0, exhausted: 0, held: 0, discarded: 0 }
  for (const { state, amount } of db.all(TALLIES, subscription)) {
    amounts[state] = amount
  }
  return amounts
}
