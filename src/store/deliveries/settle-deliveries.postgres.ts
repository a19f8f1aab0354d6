import { FAILING_FROM } from '../../model/endpoint.ts'
import type { AttemptResult } from '../../model/attempt-result.ts'
import type { Database } from '../server/database.ts'
import { lockEndpoints } from '../endpoints/endpoint-lock.postgres.ts'
import { type Bound, Query } from '../server/query.ts'

const SETTLE = Query.frequent(`
  SELECT settle_deliveries(:owner, :failingFrom, :ids::text[], :made::boolean[], :ats::bigint[], :durations::bigint[],
    :statuses::bigint[], :errors::text[], :answers::text[], :kinds::text[], :retries::bigint[], :notBefores::bigint[],
    :scheduled::boolean[], :reasons::text[], :ends::bigint[], :shared::boolean[], :longests::bigint[], :addresses::text[],
    :restsUntil::bigint[])`)

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

/** What is told of each result, as a column for all of them. */
type Column = (result: AttemptResult) => string | number | boolean | null
const COLUMNS: Readonly<Record<string, Column>> = {
  ids: ({ id }) => id,
  made: ({ attempt }) => attempt !== null,
  ats: ({ attempt }) => attempt?.at ?? null,
  durations: ({ attempt }) => attempt?.durationMs ?? null,
  statuses: ({ attempt }) => attempt?.status ?? null,
  errors: ({ attempt }) => attempt?.error ?? null,
  answers: ({ attempt }) => attempt?.answer ?? null,
  kinds: ({ result }) => result.kind,
  retries: ({ result }) => (result.kind === 'retry' ? result.at : null),
  notBefores: ({ result }) => (result.kind === 'retry' ? (result.notBefore ?? null) : null),
  scheduled: ({ result }) => (result.kind === 'retry' ? (result.scheduled ?? true) : true),
  reasons: ({ result }) => (result.kind === 'disable' ? result.reason : null),
  ends: ({ endedAt }) => endedAt ?? null,
  shared: ({ shared }) => shared === true,
  longests: ({ longestStepMs }) => longestStepMs ?? 0,
  addresses: ({ cooldown }) => cooldown?.address ?? null,
  restsUntil: ({ cooldown }) => cooldown?.until ?? null,
}

/** `DeliveryStore.settle`. Done again, it finds the rows settled. */
export async function settleDeliveries(
  db: Database,
  owner: string,
  attemptResults: readonly AttemptResult[],
): Promise<void> {
  if (attemptResults.length === 0) return
  await keepProgress(db, owner, attemptResults)
  const columns = Object.entries(COLUMNS).map(([name, column]): [string, Bound] => [name, attemptResults.map(column)])
  const values = { owner, failingFrom: FAILING_FROM, ...Object.fromEntries(columns) }
  await db.call(SETTLE, () => values)
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
