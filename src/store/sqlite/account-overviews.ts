import type { AccountOverview, ListOverview } from '../overviews.ts'
import type { Connection } from './connection.ts'
import { type ListRow, toListState } from './list-rows.ts'
import { loadPause } from './pause-rows.ts'
import { Query } from './query.ts'
import { loadRecords } from './record-rows.ts'
import { budgetUseOf } from './request-counts.ts'

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
