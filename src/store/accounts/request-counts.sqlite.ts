import { TABLES } from '../tables/tables.ts'
import type { Spending } from '../../model/account-limits.ts'
import type { AccountOverview } from '../ports/query-port.ts'
import type { RequestCount } from '../ports/account-state-port.ts'
import { minuteOf, oldestMinute, type RequestMinute, spendingOf } from './request-counts.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { registerAccount } from './accounts.sqlite.ts'

const COUNT = new Query<{ readonly amount: number }>(`
  ${TABLES.requests.insertNamed}
  ON CONFLICT DO UPDATE SET amount = amount + :amount, budget_per_hour = :budgetPerHour RETURNING amount`)
const FORGET = 'DELETE FROM requests WHERE account = ? AND minute < ?'
const LAST_HOUR = new Query<{ readonly requests: number | null; readonly budgetPerHour: number | null }>(`
  SELECT sum(amount) AS requests,
    (SELECT budget_per_hour FROM requests WHERE account = :account ORDER BY minute DESC LIMIT 1) AS budgetPerHour
  FROM requests WHERE account = :account AND minute > :since AND minute <= :now`)

const SPENT = new Query<RequestMinute>(
  'SELECT minute, amount FROM requests WHERE account = :account AND minute BETWEEN :first AND :last ORDER BY minute',
)

/**
 * Requests of the minutes that lie, if only partly, between `since` and `now`, as if all were sent at their ends: seconds are not
 * counted, because no other process takes over what this one reads.
 */
export function requestsSpent(
  db: Connection,
  account: string,
  { since, now }: { readonly since: number; readonly now: number },
): readonly Spending[] {
  const rows = db.all(SPENT, { account, first: minuteOf(since), last: minuteOf(now) })
  return rows.map((row) => spendingOf(row, now))
}

/**
 * Adds to the minute's count, inside the caller's write transaction. With each new minute, counts older than a week that no longer matter
 * are dropped.
 */
export function countRequests(db: Connection, account: string, count: RequestCount): void {
  const { amount, at, budgetPerHour } = count
  registerAccount(db, account)
  const counted = db.one(COUNT, { account, minute: minuteOf(at), amount, budgetPerHour })?.amount
  if (counted === amount) db.run(FORGET, account, oldestMinute(count))
}

export function budgetUseOf(db: Connection, account: string, now: number): AccountOverview['budgetUse'] {
  const minute = minuteOf(now)
  const row = db.one(LAST_HOUR, { account, since: minute - 60, now: minute })
  if (row === undefined || row.requests === null || row.budgetPerHour === null) return null
  return { requests: row.requests, budgetPerHour: row.budgetPerHour }
}
