import { exceptionsAfter, exceptionsConcerned, isOfSubject, remindersAfter } from '../../ledger/exceptions.ts'
import type { FreshEvent } from '../../ledger/events.ts'
import type { ReadBatch } from '../ports/commit-port.ts'
import { jsonRows, type Look, type Part } from '../server/statement-parts.ts'
import type { RowOf } from '../tables/table.ts'
import type { Acknowledgement } from '../../model/exception.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { ACKNOWLEDGE, acknowledgedRow, ALTERED, COMMITTED, commitOf, HAS, OPENED, rowsOf } from './exception-rows.ts'

type Row = RowOf<typeof COMMITTED>

const OPEN = `SELECT ${COMMITTED.selected()} FROM exceptions`
const OF_ACCOUNT = `${OPEN} WHERE account = :account AND closed_at IS NULL`
const OF_SUBJECTS = `
  ${OPEN} JOIN unnest(:resources::text[], :ids::text[]) AS wanted (resource, id)
    ON exceptions.resource = wanted.resource AND exceptions.subject_id = wanted.id
  WHERE exceptions.account = :account AND closed_at IS NULL`
const SAVE = `
  exception_added AS (${OPENED.insertAll({}, 'opened')} ON CONFLICT DO NOTHING RETURNING ref, id
  ), reminder_added AS (
    INSERT INTO reminders (exception, subscription, account, number, due_at)
    SELECT coalesce(exception_added.ref, exceptions.ref), row.subscription, row.account, 0, row."dueAt"
    FROM json_to_recordset(:reminders::json) AS row (id text, subscription text, account text, "dueAt" bigint)
      LEFT JOIN exception_added USING (id) LEFT JOIN exceptions ON exceptions.id = row.id
    WHERE coalesce(exception_added.ref, exceptions.ref) IS NOT NULL
    ON CONFLICT DO NOTHING
  ), exception_altered AS (
    UPDATE exceptions SET ${ALTERED.assigned('row')} FROM json_to_recordset(:altered::json)
      AS row (ref bigint, event text, told text, ends_at bigint, closed_at bigint, closed_by text)
    WHERE exceptions.ref = row.ref
  ), reminder_gone AS (
    DELETE FROM reminders WHERE exception = ANY(:closed::bigint[])
  )`

/** Looks up what a commit may change: with all else that it looks at, because each statement is a round trip. null: nothing. */
export function openExceptions({ account, events, exceptions }: ReadBatch): Look<Row> | null {
  const concerned = exceptionsConcerned({ account, events, exceptions })
  if (concerned.length === 0) return null
  if (!concerned.every(isOfSubject)) return { sql: OF_ACCOUNT, values: { account } }
  const resources = concerned.map(({ resource }) => resource)
  return { sql: OF_SUBJECTS, values: { account, resources, ids: concerned.map(({ subjectId }) => subjectId) } }
}

/** Opens, alters and closes what a commit says. The account is held. null: it says nothing of exceptions. */
export function exceptionRows(batch: ReadBatch, fresh: readonly FreshEvent[], open: readonly Row[]): Part | null {
  const changes = exceptionsAfter(commitOf(batch, fresh), open)
  const { altered, opened } = rowsOf(changes)
  if (altered.length === 0 && opened.length === 0) return null
  const closed = altered.filter(({ closedAt }) => closedAt !== null).map(({ ref }) => ref)
  const alterations = altered.map(({ closedAt, closedBy, endsAt, event, ref, told }) => ({
    ref,
    event,
    told,
    ends_at: endsAt,
    closed_at: closedAt,
    closed_by: closedBy,
  }))
  const reminders = remindersAfter(changes, batch.reminders ?? []).map((each) => ({ ...each }))
  const rows = { opened: jsonRows(opened), altered: jsonRows(alterations), reminders: jsonRows(reminders) }
  return { sql: SAVE, values: { ...rows, closed } }
}

const ACKNOWLEDGE_ONE = new Query(ACKNOWLEDGE)
const HAS_ONE = new Query(HAS)

/** `ExceptionStore.acknowledge`, inside the caller's transaction. */
export async function acknowledge(
  tx: Transaction,
  id: string,
  acknowledgement: Acknowledgement | null,
): Promise<'done' | 'closed' | 'unknown'> {
  if ((await tx.run(ACKNOWLEDGE_ONE, { id, ...acknowledgedRow(acknowledgement) })) > 0) return 'done'
  return (await tx.one(HAS_ONE, { id })) === undefined ? 'unknown' : 'closed'
}
