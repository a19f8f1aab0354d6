import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

// An account's events are numbered in the order of storing: halving finds the place, also where events were dropped. Where nothing
// is left up to the middle, what was there came before.
const AT = new Query<{ sequence: number }>(`
  WITH RECURSIVE halving AS (
    SELECT 0::bigint AS low, coalesce((SELECT last_sequence FROM accounts WHERE account = :account), 0) AS high
    UNION ALL
    SELECT CASE WHEN middle.is_before THEN middle.place ELSE low END,
      CASE WHEN middle.is_before THEN high ELSE middle.sequence - 1 END
    FROM halving CROSS JOIN LATERAL (
      SELECT (low + high + 1) / 2 AS place, event.sequence, coalesce(event.ref <= :ref, true) AS is_before
      FROM (SELECT 1) AS always LEFT JOIN LATERAL (
        SELECT sequence, ref FROM events
        WHERE coalesce(account, '') = :account AND sequence BETWEEN 1 AND (low + high + 1) / 2
        ORDER BY sequence DESC LIMIT 1
      ) AS event ON true
    ) AS middle
    WHERE low < high
  )
  SELECT low AS sequence FROM halving WHERE low >= high LIMIT 1`)

/** The `sequence` of the account's last event at or before `ref`, or one between it and the next; 0 where there is none. */
export async function sequenceAt(tx: Pick<Transaction, 'one'>, account: string, ref: number): Promise<number> {
  return (await tx.one(AT, { account, ref }))?.sequence ?? 0
}
