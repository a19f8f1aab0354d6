import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import type { Ask, Dialect, SlipDay, SlipDaysAsked } from './dialect.ts'
import { loadDates } from '../records/date-rows.postgres.ts'
import { loadRecords } from '../records/record-rows.postgres.ts'
import { sequenceAt } from '../accounts/accounts.postgres.ts'
import { firstSince, lowerBoundSince } from '../events/event-totals.postgres.ts'
import { documentsOfEvents } from '../documents/documents.postgres.ts'
import { rowOfKey } from '../server/statement-parts.ts'
import { rangesOf } from './ranges.postgres.ts'
import { answerOf } from './lookup.ts'

// From one day of an account to the next older one: one step in the index for each, in one statement, because each is a round trip.
const DAYS = new Query<SlipDay>(`
  WITH RECURSIVE days AS (
    SELECT asked.account, 0 AS looked, ${Number.MAX_SAFE_INTEGER}::bigint AS day FROM unnest(:accounts::text[]) AS asked(account)
    UNION ALL
    SELECT days.account, days.looked + 1, older.day FROM days CROSS JOIN LATERAL (
      SELECT day FROM slips WHERE account = days.account AND day < days.day AND day >= :since
      ORDER BY day DESC LIMIT 1
    ) AS older
    WHERE days.looked < :most
  )
  SELECT days.account, days.day, largest.key, largest.ref FROM days CROSS JOIN LATERAL (
    SELECT size AS key, ref FROM slips
    WHERE account = days.account AND day = days.day AND (size, ref) < (:key, :ref) ORDER BY size DESC, ref DESC LIMIT 1
  ) AS largest
  WHERE days.looked > 0`)

/** The largest of each day of each account that comes behind a place. */
async function slipDays(
  tx: Pick<Transaction, 'all'>,
  { before, ...asked }: SlipDaysAsked,
): Promise<readonly SlipDay[]> {
  return await tx.all(DAYS, { ...asked, ...before })
}

/** A read transaction, or for one statement the database itself, whose documents are kept. */
export interface ReportSource {
  readonly db: Database
  readonly tx: Pick<Transaction, 'all' | 'one'>
}

export const POSTGRES: Dialect<ReportSource> = {
  all,
  only: ({ postgres }) => postgres,
  isOneOf: (column, name, type) => `${column} = ANY(:${name}::${type}[])`,
  by: () => '',
  countedAtOnce: 100_000,
  thenJoin: 'JOIN',
  rowOfKey: (table, key) => `${rowOfKey(table, key)} AS ${table} ON true`,
  rangesOf,
  records: ({ db, tx }, list, ids) => answerOf(loadRecords(db, list, { ids, tx })),
  dates: ({ tx }, account, shipment) => answerOf(loadDates(tx, account, shipment)),
  documents: (source, rows) => answerOf(documentsOfEvents(source, rows)),
  sequenceAt: ({ tx }, account, ref) => answerOf(sequenceAt(tx, account, ref)),
  slipDays: ({ tx }, asked) => answerOf(slipDays(tx, asked)),
  firstSince: ({ tx }, at) => answerOf(firstSince(tx, at)),
  lowerBoundSince: ({ tx }, at) => answerOf(lowerBoundSince(tx, at)),
}

function all<Row>(sql: string): Ask<ReportSource, Row> {
  const query = new Query<Row>(sql)
  return ({ tx }, values) => answerOf(tx.all(query, values))
}
