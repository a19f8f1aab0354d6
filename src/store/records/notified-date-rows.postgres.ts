import { NO_ACCOUNT } from '../../model/account.ts'
import type { NotifiedDate, RoutedDate, RoutingQuery, RoutingState } from '../../model/routing.ts'
import type { Transaction } from '../server/database.ts'
import { jsonRows } from '../server/json-rows.ts'
import { Query } from '../server/query.ts'
import { writeTogether, type Part } from '../server/together.ts'

interface DateRow {
  readonly resource: NotifiedDate['subject']['resource']
  readonly id: string
  readonly subscription: string
  readonly date: RoutedDate
  readonly instant: number | null
  readonly version: number
}

const LAST_SEQUENCE = Query.frequent<{ sequence: number }>(
  'SELECT last_sequence AS sequence FROM accounts WHERE account = :account',
)
const OF_SUBJECTS = Query.frequent<DateRow>(`
  SELECT wanted.resource, wanted.id, subscription, date, instant, version
  FROM unnest(:resources::text[], :ids::text[]) WITH ORDINALITY AS wanted (resource, id, place)
    JOIN notified_dates AS notified
      ON notified.account = :account AND notified.resource = wanted.resource AND notified.subject_id = wanted.id
  WHERE subscription = ANY(:subscriptions::text[]) ORDER BY place, subscription, date`)
// A subject's versions only grow, so a batch that is committed again after a crash changes nothing.
const SAVE = `
  notified AS (
  INSERT INTO notified_dates AS known (account, resource, subject_id, subscription, date, instant, version)
  SELECT DISTINCT ON (resource, id, subscription, date) :account::text, resource, id, subscription, date, instant, version
  FROM json_to_recordset(:dates::json) AS row (place bigint, resource text, id text, subscription text, date text,
    instant bigint, version bigint)
  ORDER BY resource, id, subscription, date, version DESC, place
  ON CONFLICT (account, resource, subject_id, subscription, date) DO UPDATE
    SET instant = excluded.instant, version = excluded.version WHERE known.version < excluded.version
  )`

/** `CommitStore.routingState`. */
export async function loadRoutingState(
  tx: Pick<Transaction, 'all' | 'one'>,
  of: string | null,
  { subjects, subscriptions }: RoutingQuery,
): Promise<RoutingState> {
  const account = of ?? NO_ACCOUNT
  const [resources, ids] = [subjects.map(({ resource }) => resource), subjects.map(({ id }) => id)]
  const isAsked = subjects.length > 0 && subscriptions.length > 0
  const dates = isAsked ? await tx.all(OF_SUBJECTS, { account, resources, ids, subscriptions }) : []
  return {
    lastSequence: (await tx.one(LAST_SEQUENCE, { account }))?.sequence ?? 0,
    dates: dates.map(({ id, resource, ...date }) => ({ subject: { resource, id }, ...date })),
  }
}

/** The account is held. */
export function notifiedDateRows(account: string, dates: readonly NotifiedDate[]): Part | null {
  if (dates.length === 0) return null
  const rows = dates.map(({ subject, ...date }, place) => ({ place, ...subject, ...date }))
  return { sql: SAVE, values: { account, dates: jsonRows(rows) } }
}

/** The account is held. */
export async function saveNotifiedDates(
  tx: Transaction,
  account: string,
  dates: readonly NotifiedDate[],
): Promise<void> {
  await writeTogether(tx, { dates: notifiedDateRows(account, dates) })
}
