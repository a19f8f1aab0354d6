import type { Connection } from './connection.ts'
import { Query } from './query.ts'

/** Stretches of 4,096 places of the log, as the schema cuts it: `events.ref >> 12`. */
const PLACES = 4_096

export interface LogSpan {
  readonly span: number
  readonly events: number
  /** How many of them have no payload any more. */
  readonly expired: number
  /** When they rang. */
  readonly oldest: number
  readonly newest: number
}

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
  return span === null ? null : span * PLACES - 1
}

/** Whether all events of a span, none, or some of them can be sent and rang at or since. */
export function sendableIn(span: LogSpan | undefined, since: number): 'all' | 'none' | 'some' {
  if (span === undefined) return 'some'
  if (span.newest < since || span.expired === span.events) return 'none'
  return span.oldest >= since && span.expired === 0 ? 'all' : 'some'
}
