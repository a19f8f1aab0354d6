import type { Spending } from '../../model/account-limits.ts'
import type { AccountOverview } from '../query-port.ts'
import type { RequestCount } from '../account-state-port.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'
import { registerAccount } from './register-account.ts'

const MINUTE_MS = 60_000
const KEPT_MS = 7 * 24 * 60 * MINUTE_MS

const COUNT = new Query<{ readonly amount: number }>(`
  INSERT INTO requests VALUES (:account, :minute, :amount, :budgetPerHour)
  ON CONFLICT DO UPDATE SET amount = amount + :amount, budget_per_hour = :budgetPerHour RETURNING amount`)
const FORGET = 'DELETE FROM requests WHERE account = ? AND minute < ?'
const LAST_HOUR = new Query<{ readonly requests: number | null; readonly budgetPerHour: number | null }>(`
  SELECT sum(amount) AS requests,
    (SELECT budget_per_hour FROM requests WHERE account = :account ORDER BY minute DESC LIMIT 1) AS budgetPerHour
  FROM requests WHERE account = :account AND minute > :since AND minute <= :now`)

const SPENT = new Query<{ readonly minute: number; readonly amount: number }>(`
  SELECT minute, amount FROM requests
  WHERE account = :account AND minute <= :now / :minuteMs AND (minute + 1) * :minuteMs > :since ORDER BY minute`)

/** Requests of the minutes that lie, if only partly, between `since` and `now`, as if all were sent at their ends. */
export function requestsSpent(
  db: Connection,
  account: string,
  { since, now }: { readonly since: number; readonly now: number },
): readonly Spending[] {
  const rows = db.all(SPENT, { account, since, now, minuteMs: MINUTE_MS })
  return rows.map(({ minute, amount }) => ({ at: Math.min((minute + 1) * MINUTE_MS, now), amount }))
}

/** Adds to the minute's count, inside the caller's write transaction. With each new minute, counts older than a week that no longer matter are dropped. */
export function countRequests(
  db: Connection,
  account: string,
  { at, amount, budgetPerHour, countForMs = 0 }: RequestCount,
): void {
  registerAccount(db, account)
  const minute = Math.floor(at / MINUTE_MS)
  const counted = db.one(COUNT, { account, minute, amount, budgetPerHour })?.amount
  const oldest = Math.floor((at - Math.max(KEPT_MS, countForMs)) / MINUTE_MS)
  if (counted === amount) db.run(FORGET, account, oldest)
}

export function budgetUseOf(db: Connection, account: string, now: number): AccountOverview['budgetUse'] {
  const minute = Math.floor(now / MINUTE_MS)
  const row = db.one(LAST_HOUR, { account, since: minute - 60, now: minute })
  if (row === undefined || row.requests === null || row.budgetPerHour === null) return null
  return { requests: row.requests, budgetPerHour: row.budgetPerHour }
}
