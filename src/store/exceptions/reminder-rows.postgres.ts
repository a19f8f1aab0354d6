import type { BatchChange } from '../ports/commit-port.ts'
import type { DueExceptions } from '../ports/exception-port.ts'
import type { DueQuery } from '../ports/record-port.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { jsonRows } from '../server/statement-parts.ts'
import { EVER } from '../records/due-store.ts'
import {
  dueReminder,
  type EndingRow,
  endingSql,
  remindAnewSql,
  type RemindingRow,
  remindingSql,
} from './due-exceptions.ts'

const by = (): string => ''
const ENDING = Query.frequent<EndingRow>(endingSql(by))
const REMINDING = Query.frequent<RemindingRow>(remindingSql(by))
const ANEW = new Query(remindAnewSql('type = ANY(:types::text[])'))
// All at once, because each statement is a round trip.
const STEP = new Query(`
  UPDATE reminders SET number = row.number, due_at = row."dueAt"
  FROM json_to_recordset(:rows::json) AS row (exception bigint, subscription text, number bigint, "dueAt" bigint)
  WHERE reminders.exception = row.exception AND reminders.subscription = row.subscription`)
const END = new Query(`
  DELETE FROM reminders USING json_to_recordset(:rows::json) AS row (exception bigint, subscription text)
  WHERE reminders.exception = row.exception AND reminders.subscription = row.subscription`)

/** `ExceptionTimeStore.exceptionsDue`. */
export async function dueExceptions(
  db: Pick<Transaction, 'all'>,
  account: string,
  query: DueQuery,
): Promise<DueExceptions> {
  const asked = { account, ...EVER, ...query }
  const [ending, reminders] = await Promise.all([db.all(ENDING, asked), db.all(REMINDING, asked)])
  return { ending, reminders: reminders.map(dueReminder) }
}

type Change<K extends BatchChange['kind']> = Extract<BatchChange, { readonly kind: K }>

/** The account is held. */
export async function saveSteps(tx: Transaction, { steps }: Change<'reminded'>): Promise<void> {
  const rows = steps.map(({ dueAt, exception, number, subscription }) => ({ exception, subscription, number, dueAt }))
  const [moved, ended] = [rows.filter(({ dueAt }) => dueAt !== null), rows.filter(({ dueAt }) => dueAt === null)]
  if (moved.length > 0) await tx.run(STEP, { rows: jsonRows(moved) })
  if (ended.length > 0) await tx.run(END, { rows: jsonRows(ended) })
}

/** The account is held. */
export async function remindAnew(
  tx: Transaction,
  account: string,
  { at, everyMs, subscription, types }: Change<'remind'>,
): Promise<void> {
  await tx.run(ANEW, { account, at, everyMs, subscription, types })
}
