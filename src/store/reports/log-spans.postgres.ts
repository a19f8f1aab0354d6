import { placeBeforeSpan, type LogSpan } from '../../ledger/log-spans.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const BETWEEN = new Query<LogSpan>(
  'SELECT span, events, expired, oldest, newest FROM log_spans WHERE span BETWEEN :first AND :last',
)
const FIRST_SENDABLE = new Query<{ span: number | null }>(
  'SELECT min(span) AS span FROM log_spans WHERE newest >= :since AND expired < events',
)

export async function spansBetween(
  tx: Transaction,
  first: number,
  last: number,
): Promise<ReadonlyMap<number, LogSpan>> {
  return new Map((await tx.all(BETWEEN, { first, last })).map((each) => [each.span, each]))
}

/** The place before which nothing can be sent that rang at or since; null: nothing can. */
export async function placeBeforeSendable(tx: Transaction, since: number): Promise<number | null> {
  const span = (await tx.one(FIRST_SENDABLE, { since }))?.span ?? null
  return span === null ? null : placeBeforeSpan(span)
}
