import { TABLES } from '../tables/tables.ts'
import { INTEGER, INTEGER_OR_NULL, type PlainRowOf, table, TEXT, TEXT_OR_NULL } from '../tables/table.ts'
import { JsonQuery, lookAt, Query } from '../server/query.ts'
import type { AttemptResult } from '../../model/attempt-result.ts'
import type { Attempt } from '../../model/delivery.ts'
import { beganAt } from '../../ledger/settle.ts'
import { IS_STEADY } from '../endpoints/endpoint-record.ts'
import type { Write } from '../server/connection-transaction.ts'
import type { Transaction } from '../server/database.ts'
import { passTurns } from './lane-rows.postgres.ts'
import { countPaces } from './open-claims.postgres.ts'

/** A row that its sender has claimed; `claim`: where that claim is, which nobody moves while the endpoint is held. */
export interface HeldRow extends Pick<
  PlainRowOf<typeof TABLES.deliveries>,
  'ref' | 'id' | 'subscription' | 'lane' | 'turn' | 'test'
> {
  readonly claim: string
}

/**
 * Looks for the rows among `:ids` that `:owner` has claimed, with `more` of their columns, and beside them how far steady time is ahead:
 * that is known also where no row is found. Claims are looked up one by one, by their keys: a join may read all that earlier claims left
 * behind.
 */
export function lookForHeld<Row extends HeldRow>(
  more: string,
): JsonQuery<{ readonly ahead: number } & (Row | { readonly ref: null })> {
  return new JsonQuery(`
    SELECT ahead, held.* FROM steady_time LEFT JOIN LATERAL (
      SELECT ref, id, delivery.subscription, lane, turn, test, claim.ctid::text AS claim${more}
      FROM deliveries AS delivery CROSS JOIN LATERAL (
        SELECT ctid, owner FROM claims WHERE subscription = delivery.subscription AND event = delivery.event LIMIT 1
      ) AS claim
      WHERE id = ANY(:ids::text[]) AND claim.owner = :owner
    ) AS held ON true`)
}

const ATTEMPT = TABLES.attempts.without('ref', 'delivery')
const GIVEN = table('given', [], {
  ref: INTEGER,
  at: INTEGER,
  duration_ms: INTEGER,
  status: INTEGER_OR_NULL,
  error: TEXT_OR_NULL,
  answer: TEXT_OR_NULL,
  ended_at: INTEGER,
})
const SUCCESS = table('success', [], { subscription: TEXT, at: INTEGER })
const SUCCEEDED = 'success_'

interface SteadyEndpoint {
  readonly subscription: string
  readonly paced_ms: number | null
  readonly steady: boolean
}

const HOLD = new JsonQuery<SteadyEndpoint>(`
  SELECT subscription, paced_ms, ${IS_STEADY} AS steady FROM endpoints
  WHERE subscription IN (SELECT subscription FROM deliveries WHERE id = ANY(:ids::text[]))
  ORDER BY subscription FOR NO KEY UPDATE`)
const LOOK = lookForHeld<HeldRow>('')
// What `settle` says of rows that were delivered, whatever they are meanwhile, as in a file: to read them and write each of their columns
// takes half as long again. The property of one history by the rule and both stores holds it equal.
const DELIVERED = Query.frequent(`
  WITH given AS (SELECT * FROM ${GIVEN.unnested()} AS row (${GIVEN.names})),
  released AS (DELETE FROM claims WHERE ctid = ANY(:claims::tid[])),
  logged AS (
    INSERT INTO attempts (delivery, ${ATTEMPT.names}) SELECT ref, ${ATTEMPT.names} FROM given
  ),
  succeeded AS (
    UPDATE endpoints SET last_success_at = row.at
    FROM ${SUCCESS.unnested(SUCCEEDED)} AS row (${SUCCESS.names}) WHERE endpoints.subscription = row.subscription
  )
  UPDATE deliveries AS delivery SET attempts = attempts + 1, round = round + 1, last_status = given.status, last_error = given.error,
    not_before = CASE WHEN resumes_at IS NOT NULL AND not_before > given.ended_at THEN greatest(0, not_before) END, resumes_at = NULL,
    state = 'delivered', next_attempt_at = NULL, wake_at = NULL, finished_at = given.at + given.duration_ms, turn = NULL
  FROM given WHERE delivery.ref = given.ref`)

/** The result of an attempt that delivered. */
type DeliveredResult = AttemptResult & { readonly attempt: Attempt }

/** The results, where all of them are of attempts that delivered. */
export function allDelivered(attemptResults: readonly AttemptResult[]): readonly DeliveredResult[] | null {
  const delivered = attemptResults.filter(
    (each): each is DeliveredResult =>
      each.result.kind === 'delivered' && each.attempt !== null && each.cooldown === undefined,
  )
  return delivered.length === attemptResults.length ? delivered : null
}

/** Settles rows that were delivered at endpoints that have no trouble on record, as most are; null: one of them has. */
export async function settleDelivered(
  tx: Transaction,
  owner: string,
  results: readonly DeliveredResult[],
): Promise<readonly Write[] | null> {
  const ids = results.map(({ id }) => id)
  const [endpoints, looked] = await Promise.all([lookAt(tx, HOLD, { ids }), lookAt(tx, LOOK, { ids, owner })])
  if (!endpoints.every(({ steady }) => steady)) return null
  const held = new Map(looked.flatMap((row) => (row.ref === null ? [] : [[row.id, row] as const])))
  const settled = results.flatMap((attemptResult) => {
    const row = held.get(attemptResult.id)
    held.delete(attemptResult.id)
    return row === undefined ? [] : [{ row, attemptResult }]
  })
  if (settled.length === 0) return []
  const paced = new Map(endpoints.map((endpoint) => [endpoint.subscription, endpoint]))
  const writes = [deliveredWrite(settled, looked[0]?.ahead ?? 0), ...countPaces(settled, paced)]
  return [...writes, ...passTurns(settled.flatMap(({ row }) => (row.turn === null ? [] : [row])))]
}

interface Settled {
  readonly row: HeldRow
  readonly attemptResult: DeliveredResult
}

function deliveredWrite(settled: readonly Settled[], aheadMs: number): Write {
  const given = settled.map(({ row, attemptResult }) => {
    const { answer, at, durationMs, error, status } = attemptResult.attempt
    const endedAt = beganAt(attemptResult, attemptResult.attempt, aheadMs) + durationMs
    return { ref: row.ref, at, duration_ms: durationMs, status, error, answer, ended_at: endedAt }
  })
  const successes = new Map<string, { readonly subscription: string; readonly at: number }>()
  for (const { row, attemptResult } of settled) {
    const { subscription, test } = row
    const { attempt, shared } = attemptResult
    if (test === 0 && shared !== true) successes.set(subscription, { subscription, at: attempt.at })
  }
  const claims = settled.map(({ row }) => row.claim)
  const values = { claims, ...GIVEN.listed(given), ...SUCCESS.listed([...successes.values()], SUCCEEDED) }
  return { query: DELIVERED, values }
}
