import type { Spending } from '../../model/account-limits.ts'
import type { RequestCount } from '../ports/account-state-port.ts'
import { minuteOf, oldestMinute, oldestSlice, type SlicedMinute, sliceOf, spendingsOf } from './request-counts.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

// The first count of a minute drops those that no longer matter. Seconds are counted, too, because a worker that takes an account over
// goes on at once. Each part takes from the one before, so that its rows are locked in one order, whatever there is to drop: two counts
// at once would wait for each other.
const COUNT = Query.frequent(`
  WITH registered AS (
    INSERT INTO accounts (account) VALUES (:account) ON CONFLICT DO NOTHING
  ), counted AS (
    INSERT INTO requests AS known (account, minute, amount, budget_per_hour) VALUES (:account, :minute, :amount, :budgetPerHour)
    ON CONFLICT (account, minute) DO UPDATE
      SET amount = known.amount + excluded.amount, budget_per_hour = excluded.budget_per_hour
    RETURNING amount
  ), sliced AS (
    INSERT INTO sends AS known (account, since, amount) SELECT :account, :slice, :amount FROM counted
    ON CONFLICT (account, since) DO UPDATE SET amount = known.amount + excluded.amount
  ), forgotten AS (
    DELETE FROM sends USING counted WHERE account = :account AND since < :oldestSlice AND counted.amount = :amount
  )
  DELETE FROM requests USING counted
  WHERE account = :account AND minute < :oldest AND counted.amount = :amount`)
const SPENT = Query.frequent<SlicedMinute>(`
  SELECT minute, amount, (
    SELECT coalesce(json_agg(json_build_object('since', since, 'amount', amount) ORDER BY since), '[]') FROM sends
    WHERE account = :account AND since BETWEEN minute * 60000 AND minute * 60000 + 59999) AS slices
  FROM requests WHERE account = :account AND minute BETWEEN :first AND :last ORDER BY minute`)

/** The requests of the minutes that lie, if only partly, between `since` and `now`. */
export async function requestsSpent(
  tx: Pick<Transaction, 'all'>,
  account: string,
  { now, since }: { readonly since: number; readonly now: number },
): Promise<readonly Spending[]> {
  const rows = await tx.all(SPENT, { account, first: minuteOf(since), last: minuteOf(now) })
  return rows.flatMap((row) => spendingsOf(row, now))
}

/** Adds to the minute's count. */
export async function countRequests(tx: Transaction, account: string, count: RequestCount): Promise<void> {
  const { amount, at, budgetPerHour } = count
  const places = { minute: minuteOf(at), oldest: oldestMinute(count), slice: sliceOf(at), oldestSlice: oldestSlice(at) }
  await tx.run(COUNT, { account, amount, budgetPerHour, ...places })
}
