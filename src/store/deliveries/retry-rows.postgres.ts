import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

// A row whose attempt is under way keeps its claim: it is due again when that ends.
const RETRY = new Query<{ ref: number; state: 'pending' | 'held' }>(`
  UPDATE deliveries AS row SET state = next.state, round = 0,
    next_attempt_at = CASE WHEN next.state = 'pending' THEN :at::bigint END, finished_at = NULL, not_before = NULL,
    resumes_at = NULL, wake_at = CASE WHEN row.claimed_by IS NOT NULL THEN row.wake_at END
  FROM (
    SELECT delivery.ref, CASE
        WHEN test = 1 OR (configured = 1 AND enabled = 1 AND disabled_at IS NULL) THEN 'pending' ELSE 'held'
      END AS state
    FROM deliveries AS delivery JOIN endpoints USING (subscription) JOIN events ON events.ref = delivery.event
    WHERE delivery.ref = ANY(:refs::bigint[]) AND events.expired_at IS NULL
      AND (delivery.state <> 'delivered' OR :delivered::boolean)
  ) AS next
  WHERE row.ref = next.ref RETURNING row.ref, row.state`)

/**
 * Makes rows due at once, asked for at `at`; their endpoints are held. Where an endpoint is shut, the row is held and sent once
 * that opens; a test's is due all the same. Returns their states from now on; rows that are left alone are none of them: unknown,
 * delivered (unless those too), or their payload has expired.
 */
export async function retryRows(
  tx: Transaction,
  refs: readonly number[],
  { at, delivered }: { readonly at: number; readonly delivered: boolean },
): Promise<ReadonlyMap<number, 'pending' | 'held'>> {
  if (refs.length === 0) return new Map()
  return new Map((await tx.all(RETRY, { refs, at, delivered })).map(({ ref, state }) => [ref, state]))
}
