import type { DailyTotals } from '../ports/retention-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const COUNT_ROWS = `
  INSERT INTO delivery_days VALUES (:day, :subscription, :state, :amount, :attempts)
  ON CONFLICT DO UPDATE SET amount = amount + excluded.amount, attempts = attempts + excluded.attempts`

/** A row of the ledger that has ended. */
export interface EndedRow {
  readonly subscription: string
  readonly state: string
  readonly endedAt: number
  readonly test: number
}

interface Total {
  readonly day: number
  readonly subscription: string
  readonly state: string
  readonly amount: number
  readonly attempts: number
}

/** Totals of the rows that one step drops, written once for all of them. */
export class DroppedRows {
  readonly #totals = new Map<string, Total>()

  add({ endedAt, state, subscription, test }: EndedRow, attempts: number): void {
    if (test === 1) return
    const day = Math.floor(endedAt / DAY_MS)
    const key = JSON.stringify([day, subscription, state])
    const known = this.#totals.get(key) ?? { amount: 0, attempts: 0 }
    const sum = { amount: known.amount + 1, attempts: known.attempts + attempts }
    this.#totals.set(key, { day, subscription, state, ...sum })
  }

  /** Runs inside the caller's write transaction. */
  save(db: Connection): void {
    for (const total of this.#totals.values()) db.run(COUNT_ROWS, { ...total })
  }
}

interface HourRow {
  readonly hour: number
  readonly account: string
  readonly type: string
  readonly amount: number
}

const OLD_HOURS = new Query<HourRow>(
  'SELECT hour, account, type, amount FROM event_hours WHERE hour <= ? ORDER BY hour LIMIT CAST(? AS INTEGER)',
)
const COUNT_EVENTS = `
  INSERT INTO event_days VALUES (:day, :account, :type, :amount) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`
const FORGET_HOUR = 'DELETE FROM event_hours WHERE hour = :hour AND account = :account AND type = :type'

/** Puts at most `most` of the totals of hours that ended until `before` together by days. Returns whether those were all. */
export function foldHours(db: Connection, before: number, most: number): boolean {
  const hours = db.all(OLD_HOURS, before - HOUR_MS, most)
  for (const { account, amount, hour, type } of hours) {
    db.run(COUNT_EVENTS, { day: Math.floor(hour / DAY_MS), account, type, amount })
    db.run(FORGET_HOUR, { hour, account, type })
  }
  return hours.length < most
}

const EVENTS = new Query<DailyTotals['events'][number]>(`
  SELECT day * ${DAY_MS} AS day, nullif(account, '') AS account, type, amount FROM event_days
  WHERE day >= ? ORDER BY event_days.day, account, type`)
const DELIVERIES = new Query<DailyTotals['deliveries'][number]>(`
  SELECT day * ${DAY_MS} AS day, subscription, state, amount, attempts FROM delivery_days
  WHERE day >= ? ORDER BY delivery_days.day, subscription, state`)

/** `RetentionStore.dailyTotals`, inside one read transaction. */
export function dailyTotals(db: Connection, since: number): DailyTotals {
  const day = Math.floor(since / DAY_MS)
  return { events: db.all(EVENTS, day), deliveries: db.all(DELIVERIES, day) }
}
