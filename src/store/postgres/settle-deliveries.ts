import { FAILING_FROM } from '../../model/endpoint.ts'
import type { AttemptResult } from '../delivery-port.ts'
import type { Database } from './database.ts'
import { type Bound, Query } from './query.ts'

const SETTLE = Query.frequent(`
  SELECT settle_deliveries(:owner, :failingFrom, :ids::text[], :made::boolean[], :ats::bigint[], :durations::bigint[],
    :statuses::bigint[], :errors::text[], :answers::text[], :kinds::text[], :retries::bigint[], :notBefores::bigint[],
    :scheduled::boolean[], :reasons::text[], :ends::bigint[], :shared::boolean[], :longests::bigint[], :addresses::text[],
    :restsUntil::bigint[])`)

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
  const columns = Object.entries(COLUMNS).map(([name, column]): [string, Bound] => [name, attemptResults.map(column)])
  const values = { owner, failingFrom: FAILING_FROM, ...Object.fromEntries(columns) }
  await db.call(SETTLE, () => values)
}
