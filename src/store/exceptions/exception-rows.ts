import type { Acknowledgement } from '../../model/exception.ts'
import type { ExceptionCommit, OpenException } from '../../ledger/exceptions.ts'
import type { FreshEvent } from '../../ledger/events.ts'
import type { ReadBatch } from '../ports/commit-port.ts'
import { TABLES } from '../tables/tables.ts'
import type { RowOf } from '../tables/table.ts'

/** What commits know of an exception. */
export const COMMITTED = TABLES.exceptions.without('acknowledged_at', 'acknowledged_by', 'acknowledged_until', 'note')
/** What a commit writes of an exception that it opens. */
export const OPENED = COMMITTED.without('ref')
/** What a commit may alter of an exception. */
export const ALTERED = TABLES.exceptions.only('event told ends_at closed_at closed_by')

export type OpenedRow = RowOf<typeof OPENED>

export function commitOf(
  { account, calendarAt, exceptions }: ReadBatch,
  fresh: readonly FreshEvent[],
): ExceptionCommit {
  return { account, fresh, exceptions, calendarAt }
}

/** The rows that a commit adds, and those that it alters. */
export function rowsOf(exceptions: readonly OpenException[]): {
  readonly opened: readonly OpenedRow[]
  readonly altered: readonly RowOf<typeof COMMITTED>[]
} {
  const opened: OpenedRow[] = []
  const altered: RowOf<typeof COMMITTED>[] = []
  for (const { ref, ...row } of exceptions) {
    if (ref === null) opened.push(row)
    else altered.push({ ref, ...row })
  }
  return { opened, altered }
}

const ACKNOWLEDGED = TABLES.exceptions.only('acknowledged_at acknowledged_by acknowledged_until note')
/** An exception that closed meanwhile stays as it is. */
export const ACKNOWLEDGE = `UPDATE exceptions SET ${ACKNOWLEDGED.settings} WHERE id = :id AND closed_at IS NULL`
export const HAS = 'SELECT ref FROM exceptions WHERE id = :id'

export function acknowledgedRow(acknowledgement: Acknowledgement | null): RowOf<typeof ACKNOWLEDGED> {
  const { at: acknowledgedAt, by: acknowledgedBy, note, until: acknowledgedUntil } = acknowledgement ?? NOBODY
  return { acknowledgedAt, acknowledgedBy, acknowledgedUntil, note }
}

const NOBODY = { at: null, by: null, note: null, until: null }
