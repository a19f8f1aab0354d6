import { failureCause } from '../../model/failure-cause.ts'
import type { FailureFilter, FailureGroup } from '../ports/log-query-port.ts'
import { toDelivery, type LedgerRow } from '../deliveries/ledger-rows.ts'
import { failedStates, failuresOfEach } from './failure-rows.ts'
import type { Transaction } from '../server/database.ts'
import { endpointNames } from '../endpoints/endpoint-reads.postgres.ts'
import { loadRows } from '../deliveries/ledger-rows.postgres.ts'
import { lowerBoundSince } from '../events/event-totals.postgres.ts'
import { Query } from '../server/query.ts'

interface FailedRow {
  readonly subscription: string
  readonly ref: number
  readonly status: number | null
  readonly error: string
  readonly isAsked: boolean
}

const FAILED = new Query<FailedRow>(`
  SELECT asked.subscription, failed.*,
    failed.state = ANY(:states::text[]) AND (
      SELECT timestamp >= :rangSince AND (:account::text IS NULL OR account = :account) FROM events WHERE events.ref = failed.event
    ) AS "isAsked"
  FROM unnest(:subscriptions::text[]) WITH ORDINALITY AS asked(subscription, nth)
    CROSS JOIN LATERAL (
      SELECT ref, event, state, last_status AS status, last_error AS error FROM deliveries
      WHERE event >= :since AND subscription = asked.subscription AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')
      ORDER BY event DESC LIMIT :most
    ) AS failed
  ORDER BY asked.nth, failed.event DESC`)

interface Group extends Omit<FailureGroup, 'example'> {
  readonly newest: number
}

/** `LogQueryStore.failures`, inside one read transaction. */
export async function failureGroups(tx: Transaction, filter: FailureFilter): Promise<readonly FailureGroup[]> {
  const { account = null, since: at, subscription: only } = filter
  const subscriptions = only === undefined ? await endpointNames(tx) : [only]
  const most = failuresOfEach(subscriptions.length)
  const since = at === undefined ? 0 : await lowerBoundSince(tx, at)
  const values = { subscriptions, most: most + 1, since, rangSince: at ?? 0, account, states: failedStates(filter) }
  const failed = await tx.all(FAILED, values)
  const groups = [...Map.groupBy(failed, ({ subscription }) => subscription).values()].flatMap((rows) =>
    groupsOf(rows, most),
  )
  const rows = await loadRows(
    tx,
    groups.map(({ newest }) => newest),
  )
  const examples = new Map(rows.map((row) => [row.ref, row] as const))
  return groups.flatMap((group) => withExample(group, examples))
}

/** Of one subscription, the cause of the newest row first. */
function groupsOf(failed: readonly FailedRow[], most: number): readonly Group[] {
  const more = failed.length > most
  const asked = failed.slice(0, most).filter(({ isAsked }) => isAsked)
  return [...Map.groupBy(asked, failureCause)].flatMap(([cause, rows]) => {
    const [newest] = rows
    if (newest === undefined) return []
    return [
      {
        subscription: newest.subscription,
        status: newest.status,
        cause,
        rows: rows.length,
        more,
        newest: newest.ref,
      },
    ]
  })
}

function withExample({ newest, ...group }: Group, examples: ReadonlyMap<number, LedgerRow>): readonly FailureGroup[] {
  const row = examples.get(newest)
  return row === undefined ? [] : [{ ...group, example: toDelivery(row) }]
}
