import type { BatchChange } from '../ports/commit-port.ts'
import type { DueExceptions } from '../ports/exception-port.ts'
import type { DueQuery } from '../ports/record-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { EVER } from '../records/due-store.ts'
import {
  dueReminder,
  type EndingRow,
  endingSql,
  remindAnewSql,
  type RemindingRow,
  remindingSql,
} from './due-exceptions.ts'

const by = (index: string): string => `INDEXED BY ${index}`
// The casts keep SQLite from preparing the statements anew each time.
const typed = (sql: string): string =>
  sql.replaceAll(':account', 'CAST(:account AS TEXT)').replaceAll(/:(after|until|most)\b/g, 'CAST(:$1 AS INTEGER)')
const ENDING = new Query<EndingRow>(typed(endingSql(by)))
const REMINDING = new Query<RemindingRow>(typed(remindingSql(by)))
const ANEW = remindAnewSql('type IN (SELECT value FROM json_each(:types))')
const STEP = 'UPDATE reminders SET number = ?, due_at = ? WHERE exception = ? AND subscription = ?'
const END = 'DELETE FROM reminders WHERE exception = ? AND subscription = ?'

/** `ExceptionTimeStore.exceptionsDue`, inside the caller's transaction. */
export function dueExceptions(db: Connection, account: string, query: DueQuery): DueExceptions {
  const asked = { account, ...EVER, ...query }
  return { ending: db.all(ENDING, asked), reminders: db.all(REMINDING, asked).map(dueReminder) }
}

type Change<K extends BatchChange['kind']> = Extract<BatchChange, { readonly kind: K }>

/** Row by row, because a statement of SQLite is no round trip. */
export function saveSteps(db: Connection, { steps }: Change<'reminded'>): void {
  for (const { dueAt, exception, number, subscription } of steps) {
    if (dueAt === null) db.run(END, exception, subscription)
    else db.run(STEP, number, dueAt, exception, subscription)
  }
}

export function remindAnew(
  db: Connection,
  account: string,
  { at, everyMs, subscription, types }: Change<'remind'>,
): void {
  db.run(ANEW, { account, at, everyMs, subscription, types: JSON.stringify(types) })
}
