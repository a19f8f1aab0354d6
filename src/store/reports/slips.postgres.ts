import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import type { SlipDay, SlipDaysAsked } from './dialect.ts'

// From one day of an account to the next older one: one step in the index for each.
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
export async function slipDays(
  tx: Pick<Transaction, 'all'>,
  { before, ...asked }: SlipDaysAsked,
): Promise<readonly SlipDay[]> {
  return await tx.all(DAYS, { ...asked, ...before })
}
