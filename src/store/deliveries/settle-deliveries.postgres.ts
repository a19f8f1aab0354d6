import { TABLES } from '../tables/tables.ts'
import { keepsPlace } from '../../ledger/follow.ts'
import { lastWaitBegan, type SendingRow, settle } from '../../ledger/settle.ts'
import type { AttemptResult } from '../../model/attempt-result.ts'
import { saveCooldowns, waitsBegan } from '../accounts/wait-rows.postgres.ts'
import {
  type EndpointOfRecord,
  HOLD,
  lockEndpoints,
  recordsOf,
  WRITE_RECORDS,
} from '../endpoints/endpoint-record.postgres.ts'
import { unsettle } from '../endpoints/sync-endpoints.postgres.ts'
import type { Write } from '../server/connection-transaction.ts'
import type { Database } from '../server/database.ts'
import { type BoundValues, lookAt, Query } from '../server/query.ts'
import { allDelivered, type HeldRow, lookForHeld, settleDelivered } from './settle-delivered.postgres.ts'
import { passTurns } from './lane-rows.postgres.ts'
import { SENT, SENT_WITH_TURN } from './set-columns.ts'
import { countPaces } from './open-claims.postgres.ts'

const MADE = TABLES.attempts.without('ref')

interface HeldSendingRow extends HeldRow, SendingRow {
  readonly test: number
}

const LOOK = lookForHeld<HeldSendingRow>(`, ${SENT.names}`)
const LOGGED = 'attempt_'
const SETTLE = Query.frequent(`
  WITH released AS (DELETE FROM claims WHERE ctid = ANY(:claims::tid[])),
  logged AS (INSERT INTO attempts (${MADE.names}) SELECT * FROM ${MADE.unnested(LOGGED)}),
  recorded AS (${WRITE_RECORDS})
  UPDATE deliveries AS delivery SET ${SENT_WITH_TURN.without('ref').assigned('row')}
  FROM ${SENT_WITH_TURN.unnested()} AS row (${SENT_WITH_TURN.names}) WHERE delivery.ref = row.ref`)

const ENDPOINTS = new Query<{ subscription: string }>(
  'SELECT DISTINCT subscription FROM deliveries WHERE id = ANY(:ids::text[])',
)
const KEEP = new Query(`
  UPDATE deliveries AS delivery SET progress = given.progress
  FROM unnest(:ids::text[], :progress::text[]) AS given (id, progress)
  WHERE delivery.id = given.id AND EXISTS (
    SELECT 1 FROM claims
    WHERE claims.subscription = delivery.subscription AND claims.event = delivery.event AND owner = :owner
  )`)

/**
 * `DeliveryStore.settle`. Whoever writes rows holds their endpoints, because other workers settle at the same time: what is looked at
 * under them is what is written over. All rows at once, because each statement is a round trip. Done again, it finds the rows settled.
 */
export async function settleDeliveries(
  db: Database,
  owner: string,
  attemptResults: readonly AttemptResult[],
): Promise<void> {
  if (attemptResults.length === 0) return
  await keepProgress(db, owner, attemptResults)
  const ids = attemptResults.map(({ id }) => id)
  const delivered = allDelivered(attemptResults)
  await db.decide(async (tx) => {
    const quick = delivered === null ? null : await settleDelivered(tx, owner, delivered)
    if (quick !== null) return { result: undefined, writes: quick }
    const [endpoints, rows] = await Promise.all([lookAt(tx, HOLD, { ids }), lookAt(tx, LOOK, { ids, owner })])
    const seen = { endpoints, rows: rows.filter((row) => row.ref !== null), aheadMs: rows[0]?.ahead ?? 0 }
    const { shuts, writes } = outcomeOf(attemptResults, seen)
    if (shuts.length === 0) return { result: undefined, writes }
    for (const { query, values } of writes) await tx.run(query, values)
    for (const { at, subscription } of shuts) await unsettle(tx, subscription, at)
    return { result: undefined, writes: [] }
  })
}

interface Seen {
  readonly endpoints: readonly EndpointOfRecord[]
  readonly rows: readonly HeldSendingRow[]
  readonly aheadMs: number
}

function outcomeOf(attemptResults: readonly AttemptResult[], { endpoints, rows, aheadMs }: Seen) {
  const known = new Map(endpoints.map((endpoint) => [endpoint.subscription, endpoint]))
  const held = new Map(rows.map((row) => [row.id, row]))
  const settled: Settled[] = []
  for (const attemptResult of attemptResults) {
    const row = held.get(attemptResult.id)
    const endpoint = row === undefined ? undefined : known.get(row.subscription)
    if (row === undefined || endpoint === undefined) continue
    held.delete(attemptResult.id)
    const next = settle({ row, endpoint, attemptResult, aheadMs })
    settled.push({ row: next.row, attemptResult })
    known.set(row.subscription, next.endpoint)
  }
  const writes = [
    ...rowWrites(settled, recordsOf(endpoints, known)),
    ...countPaces(settled, known),
    ...saveCooldowns(attemptResults, aheadMs),
    ...waitsBegan(lastWaitBegan(attemptResults, aheadMs)),
  ]
  return { writes, shuts: shutsOf(endpoints, known) }
}

interface Settled {
  readonly row: HeldSendingRow
  readonly attemptResult: AttemptResult
}

/** `records`: what became of the endpoints. */
function rowWrites(settled: readonly Settled[], records: BoundValues): readonly Write[] {
  if (settled.length === 0) return []
  const claims = settled.map(({ row }) => row.claim)
  const made = settled.flatMap(({ attemptResult: { attempt }, row }) =>
    attempt === null ? [] : [{ ...attempt, delivery: row.ref, duration_ms: attempt.durationMs }],
  )
  const moved = settled.map(({ row }) => ({
    ...row,
    turn: keepsPlace({ state: row.state, isClaimed: false }) ? row.turn : null,
  }))
  const inLanes = settled.flatMap(({ row }) => (row.turn === null ? [] : [row]))
  return [
    { query: SETTLE, values: { claims, ...SENT_WITH_TURN.listed(moved), ...MADE.listed(made, LOGGED), ...records } },
    ...passTurns(inLanes),
  ]
}

/** When endpoints were disabled that one of the attempts has shown to be gone. */
function shutsOf(
  before: readonly EndpointOfRecord[],
  known: ReadonlyMap<string, EndpointOfRecord>,
): readonly { readonly subscription: string; readonly at: number }[] {
  return before.flatMap(({ disabled_at: wasDisabledAt, subscription }) => {
    const at = known.get(subscription)?.disabled_at ?? null
    return wasDisabledAt !== null || at === null ? [] : [{ subscription, at }]
  })
}

/**
 * Before the rows are free for others. A process that dies behind this leaves rows that are sent again, and what it wrote here says to
 * whom: that is so however the attempt would have ended.
 */
async function keepProgress(db: Database, owner: string, attemptResults: readonly AttemptResult[]): Promise<void> {
  const kept = attemptResults.flatMap(({ id, progress }) => (progress === undefined ? [] : [{ id, progress }]))
  if (kept.length === 0) return
  const ids = kept.map(({ id }) => id)
  await db.write(async (tx) => {
    const endpoints = await tx.all(ENDPOINTS, { ids })
    await lockEndpoints(
      tx,
      endpoints.map(({ subscription }) => subscription),
    )
    await tx.run(KEEP, { ids, progress: kept.map(({ progress }) => progress), owner })
  })
}
