import { TABLES } from '../tables/tables.ts'
import { countBySpan, type EventTotals, HOUR_MS, hourOf } from '../../ledger/events.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const COUNT = `
  ${TABLES.event_hours.insertNamed} ON CONFLICT DO UPDATE SET amount = amount + :amount`
const KNOW_KIND = `${TABLES.event_kinds.insertNamed} ON CONFLICT DO NOTHING`
const ADD_TO_SPAN = `
  ${TABLES.log_spans.insertNamed}
  ON CONFLICT DO UPDATE SET events = events + excluded.events, expired = expired + excluded.expired,
    oldest = min(oldest, excluded.oldest), newest = max(newest, excluded.newest)`
const BEGIN_HOUR = `${TABLES.log_hours.insertNamed} ON CONFLICT DO NOTHING`

/** Counts the events of one commit, inside its write transaction: each total by itself, because a statement of SQLite is no round trip. */
export function saveTotals(db: Connection, totals: EventTotals): void {
  for (const { account: of, amount, hour, resource, type } of totals.all) {
    const account = of ?? NO_ACCOUNT
    db.run(COUNT, { hour, account, type, amount })
    db.run(KNOW_KIND, { account, type, resource })
  }
  for (const each of totals.hours) db.run(BEGIN_HOUR, each)
  for (const span of totals.spans) db.run(ADD_TO_SPAN, { ...span })
}

const EXPIRE = 'UPDATE log_spans SET expired = expired + :amount WHERE span = :span'
const DROP = 'UPDATE log_spans SET events = events - :amount, expired = expired - :amount WHERE span = :span'
const FORGET_SPAN = 'DELETE FROM log_spans WHERE span = ? AND events = 0'

/** Events have no payloads any more. */
export function countExpired(db: Connection, refs: readonly number[]): void {
  for (const [span, amount] of countBySpan(refs)) db.run(EXPIRE, { span, amount })
}

/** Events that had no payloads any more are gone. */
export function countGone(db: Connection, refs: readonly number[]): void {
  for (const [span, amount] of countBySpan(refs)) {
    db.run(DROP, { span, amount })
    db.run(FORGET_SPAN, span)
  }
}

const FORGET_HOUR = `
  DELETE FROM log_hours WHERE hour = :hour AND NOT EXISTS (${rangBetween(':hour', `:hour + ${HOUR_MS}`)})`

/** Events with payloads and those without have an index by time each. */
function rangBetween(since: string, until: string): string {
  const span = `stored_at >= ${since} AND stored_at < ${until}`
  return `
    SELECT ref FROM events INDEXED BY events_kept WHERE expired_at IS NULL AND ${span}
    UNION ALL SELECT ref FROM events INDEXED BY events_bare WHERE expired_at IS NOT NULL AND ${span}`
}

/** Forgets the hours in which these events rang, as far as the log holds no events of them any more. */
export function forgetHours(db: Connection, storedAt: readonly number[]): void {
  for (const hour of new Set(storedAt.map(hourOf))) db.run(FORGET_HOUR, { hour })
}

const FIRST_FROM = new Query<{ ref: number | null }>('SELECT min(first) AS ref FROM log_hours WHERE hour >= ?')
const FIRST_OF_HOUR = new Query<{ ref: number | null }>(
  `SELECT min(ref) AS ref FROM (${rangBetween(':since', ':nextHour')})`,
)

/** The first `ref` of the hour of `since` or a later one: nothing before it rang since. Greater than any `ref` where nothing did. */
export function lowerBoundSince(db: Connection, since: number): number {
  return db.one(FIRST_FROM, hourOf(since))?.ref ?? Number.MAX_SAFE_INTEGER
}

/** The first event in the order of storing that rang at or since; greater than any `ref` where there is none. */
export function firstSince(db: Connection, since: number): number {
  const nextHour = hourOf(since) + HOUR_MS
  const ofHour = db.one(FIRST_OF_HOUR, { since, nextHour })?.ref ?? Number.MAX_SAFE_INTEGER
  return Math.min(ofHour, lowerBoundSince(db, nextHour))
}
