import type { DailyTotals } from '../ports/retention-port.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const DROP_ROWS = new Query(`
  WITH attempted AS (
    DELETE FROM attempts
    WHERE delivery = ANY(ARRAY(SELECT ref FROM deliveries WHERE event = ANY(:refs::bigint[]))) RETURNING delivery
  ), dropped AS (
    DELETE FROM deliveries WHERE event = ANY(:refs::bigint[]) RETURNING ref, subscription, state, finished_at, test
  ), counted AS (SELECT delivery, count(*) AS amount FROM attempted GROUP BY delivery)
  INSERT INTO delivery_days AS known (day, subscription, state, amount, attempts)
    SELECT ${dayOf('finished_at')} AS day, subscription, state, count(*), coalesce(sum(counted.amount), 0)
    FROM dropped LEFT JOIN counted ON counted.delivery = dropped.ref
    WHERE test = 0 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (day, subscription, state) DO UPDATE SET amount = known.amount + excluded.amount,
    attempts = known.attempts + excluded.attempts`)

/** The day of an instant, since the Unix epoch. */
function dayOf(instant: string): string {
  return `floor(${instant} / ${DAY_MS}.0)::bigint`
}

/** Drops all rows of events that have ended, with their attempts, and keeps how many there were. Their endpoints are held. */
export async function countDropped(tx: Transaction, events: readonly number[]): Promise<void> {
  await tx.run(DROP_ROWS, { refs: events })
}

const FOLD = new Query<{ hours: number }>(`
  WITH old AS (
    SELECT hour, account, type FROM event_hours WHERE hour <= :to ORDER BY hour LIMIT :most
  ), gone AS (
    DELETE FROM event_hours USING old
    WHERE event_hours.hour = old.hour AND event_hours.account = old.account AND event_hours.type = old.type
    RETURNING event_hours.*
  ), added AS (
    INSERT INTO event_days AS known (day, account, type, amount)
      SELECT ${dayOf('hour')}, account, type, sum(amount) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (day, account, type) DO UPDATE SET amount = known.amount + excluded.amount
  )
  SELECT count(*) AS hours FROM gone`)

/** Puts at most `most` of the totals of hours that ended until `before` together by days. Returns whether those were all. */
export async function foldHours(tx: Transaction, before: number, most: number): Promise<boolean> {
  return ((await tx.one(FOLD, { to: before - HOUR_MS, most }))?.hours ?? 0) < most
}

const EVENTS = new Query<DailyTotals['events'][number]>(`
  SELECT day * ${DAY_MS} AS day, nullif(account, '') AS account, type, amount FROM event_days
  WHERE day >= :day ORDER BY event_days.day, event_days.account, event_days.type`)
const DELIVERIES = new Query<DailyTotals['deliveries'][number]>(`
  SELECT day * ${DAY_MS} AS day, subscription, state, amount, attempts FROM delivery_days
  WHERE day >= :day ORDER BY delivery_days.day, subscription, state`)

/** `RetentionStore.dailyTotals`, inside one read transaction. */
export async function dailyTotals(tx: Transaction, since: number): Promise<DailyTotals> {
  const day = Math.floor(since / DAY_MS)
  return { events: await tx.all(EVENTS, { day }), deliveries: await tx.all(DELIVERIES, { day }) }
}
