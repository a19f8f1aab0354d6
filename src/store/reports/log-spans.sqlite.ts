import { placeBeforeSpan, type LogSpan } from '../../ledger/log-spans.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const BETWEEN = new Query<LogSpan>(
  'SELECT span, events, expired, oldest, newest FROM log_spans WHERE span BETWEEN ? AND ?',
)
const FIRST_SENDABLE = new Query<{ span: number | null }>(
  'SELECT min(span) AS span FROM log_spans WHERE newest >= ? AND expired < events',
)

export function spansBetween(db: Connection, first: number, last: number): ReadonlyMap<number, LogSpan> {
  return new Map(db.all(BETWEEN, first, last).map((each) => [each.span, each]))
}

/** The place before which nothing can be sent that rang at or since; null: nothing can. */
export function placeBeforeSendable(db: Connection, since: number): number | null {
  const span = db.one(FIRST_SENDABLE, since)?.span ?? null
  return span === null ? null : placeBeforeSpan(span)
}
