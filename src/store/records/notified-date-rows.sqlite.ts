import type { DatedSubject, NotifiedDate, RoutedDate, RoutingQuery, RoutingState } from '../../model/routing.ts'
import type { Connection } from '../file/connection.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import { Query } from '../file/query.ts'

interface DateRow {
  readonly subscription: string
  readonly date: RoutedDate
  readonly instant: number | null
  readonly version: number
}

const LAST_SEQUENCE = new Query<{ sequence: number }>(
  'SELECT last_sequence AS sequence FROM accounts WHERE account = ?',
)
const OF_SUBJECT = new Query<DateRow>(`
  SELECT subscription, date, instant, version FROM notified_dates WHERE account = ? AND resource = ? AND subject_id = ?`)
// A subject's versions only grow, so a batch that is committed again after a crash changes nothing.
const SAVE = `
  INSERT INTO notified_dates (account, resource, subject_id, subscription, date, instant, version)
  VALUES (:account, :resource, :id, :subscription, :date, :instant, :version)
  ON CONFLICT DO UPDATE SET instant = :instant, version = :version WHERE version < :version`
const FORGET = 'DELETE FROM notified_dates WHERE subscription IN (SELECT value FROM json_each(?))'

/** `CommitStore.routingState`, inside the caller's transaction. */
export function loadRoutingState(
  db: Connection,
  account: string | null,
  { subscriptions, subjects }: RoutingQuery,
): RoutingState {
  const series = account ?? NO_ACCOUNT
  const wanted = new Set(subscriptions)
  const dates = subjects.flatMap((subject) => datesOf(db, series, subject))
  return {
    lastSequence: db.one(LAST_SEQUENCE, series)?.sequence ?? 0,
    dates: dates.filter(({ subscription }) => wanted.has(subscription)),
  }
}

function datesOf(db: Connection, account: string, subject: DatedSubject): readonly NotifiedDate[] {
  return db.all(OF_SUBJECT, account, subject.resource, subject.id).map((row) => ({ subject, ...row }))
}

export function saveNotifiedDates(db: Connection, account: string, dates: readonly NotifiedDate[]): void {
  for (const { subject, subscription, date, instant, version } of dates)
    db.run(SAVE, { account, resource: subject.resource, id: subject.id, subscription, date, instant, version })
}

/** Dates of subscriptions without a `min_shift` are not remembered, so those from before it was left out are stale. */
export function forgetNotifiedDates(db: Connection, subscriptions: readonly string[]): void {
  if (subscriptions.length > 0) db.run(FORGET, JSON.stringify(subscriptions))
}
