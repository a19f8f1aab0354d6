import {
  exceptionsAfter,
  exceptionsConcerned,
  isOfSubject,
  remindersAfter,
  type OpenOf,
} from '../../ledger/exceptions.ts'
import type { FreshEvent } from '../../ledger/events.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { ReadBatch } from '../ports/commit-port.ts'
import type { RowOf } from '../tables/table.ts'
import type { Acknowledgement } from '../../model/exception.ts'
import { ACKNOWLEDGE, acknowledgedRow, ALTERED, COMMITTED, commitOf, HAS, OPENED, rowsOf } from './exception-rows.ts'

type Row = RowOf<typeof COMMITTED>

const OPEN = 'exceptions INDEXED BY exceptions_open WHERE closed_at IS NULL AND account = CAST(? AS TEXT)'
// One statement for a page, nearly all of whose subjects have nothing open. The casts keep SQLite from preparing it anew each time.
const OF_SUBJECTS = new Query<Row>(`
  SELECT ${COMMITTED.selected()} FROM json_each(?) AS wanted CROSS JOIN ${OPEN}
    AND resource = CAST(? AS TEXT) AND subject_id = wanted.value`)
const OF_ACCOUNT = new Query<Row>(`SELECT ${COMMITTED.selected()} FROM ${OPEN}`)
const ADD = `${OPENED.insertNamed} ON CONFLICT DO NOTHING`
const ALTER = `UPDATE exceptions SET ${ALTERED.settings} WHERE ref = :ref`
const REMIND = `
  INSERT INTO reminders (exception, subscription, account, number, due_at)
  SELECT ref, :subscription, :account, 0, :dueAt FROM exceptions WHERE id = :id ON CONFLICT DO NOTHING`
const FORGET = 'DELETE FROM reminders WHERE exception = ?'

/**
 * Opens, alters and closes what a commit says, row by row, because a statement is no round trip. No account is held, because SQLite has
 * one writer at a time.
 */
export function saveExceptions(db: Connection, batch: ReadBatch, fresh: readonly FreshEvent[]): void {
  const { account, exceptions } = batch
  if (fresh.length === 0 && exceptions === undefined) return
  const concerned = exceptionsConcerned({ account, exceptions, events: fresh.map(({ event }) => event) })
  if (concerned.length === 0) return
  const changes = exceptionsAfter(commitOf(batch, fresh), openOf(db, account, concerned))
  const { altered, opened } = rowsOf(changes)
  for (const { closedAt, closedBy, endsAt, event, ref, told } of altered) {
    db.run(ALTER, { closedAt, closedBy, endsAt, event, ref, told })
    if (closedAt !== null) db.run(FORGET, ref)
  }
  for (const row of opened) db.run(ADD, { ...row })
  for (const { account: of, dueAt, id, subscription } of remindersAfter(changes, batch.reminders ?? []))
    db.run(REMIND, { account: of, dueAt, id, subscription })
}

function openOf(db: Connection, account: string, concerned: readonly OpenOf[]): readonly Row[] {
  if (!concerned.every(isOfSubject)) return db.all(OF_ACCOUNT, account)
  const lists = Map.groupBy(concerned, ({ resource }) => resource)
  const rows = [...lists].flatMap(([resource, subjects]) =>
    db.all(OF_SUBJECTS, JSON.stringify(subjects.map(({ subjectId }) => subjectId)), account, resource),
  )
  return [...new Map(rows.map((row) => [row.ref, row])).values()]
}

const HAS_ONE = new Query(HAS)

/** `ExceptionStore.acknowledge`, inside the caller's write transaction. */
export function acknowledge(
  db: Connection,
  id: string,
  acknowledgement: Acknowledgement | null,
): 'done' | 'closed' | 'unknown' {
  if (db.run(ACKNOWLEDGE, { id, ...acknowledgedRow(acknowledgement) }) > 0) return 'done'
  return db.one(HAS_ONE, { id }) === undefined ? 'unknown' : 'closed'
}
