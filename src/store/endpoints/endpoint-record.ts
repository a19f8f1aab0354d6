import { newestPosition, type Numbered } from '../../ledger/positions.ts'
import type { EndpointFacts } from '../../model/endpoint.ts'
import type { DeliveryState } from '../../model/delivery.ts'
import type { EndpointOverview } from '../ports/query-port.ts'
import type { EndpointStanding } from '../ports/delivery-port.ts'
import type { PlainRowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'

/** `isOpen` of `ledger/endpoint-state.ts` as a condition over a row of `endpoints`, where a statement asks it of many. */
export const IS_OPEN = 'configured = 1 AND enabled = 1 AND disabled_at IS NULL'
/** Whether the `gateOf` of an endpoint is not `shut`, as such a condition. */
export const IS_SENDING = `${IS_OPEN} AND queued_to IS NULL`
/** `isSteady` of an endpoint, as such a condition. */
export const IS_STEADY =
  'failures_in_row = 0 AND failing_since IS NULL AND failing_for = 0 AND exhausted_since IS NULL AND last_error IS NULL'

/** What attempts move of an endpoint's row. */
export const ENDPOINT_RECORD = TABLES.endpoints.only(
  'subscription failures_in_row failing_since failing_for failed_at exhausted_since last_failure_at last_success_at last_error recovering disabled_reason disabled_at disabled_by',
)

/** The part of an endpoint's row that says how it fares. */
type FactsRow = PlainRowOf<typeof ENDPOINT_RECORD>

function toFacts(row: FactsRow): Omit<EndpointFacts, 'held'> {
  const { disabled_at: at, disabled_reason: reason, disabled_by: by } = row
  return {
    subscription: row.subscription,
    failuresInARow: row.failures_in_row,
    failingSince: row.failing_since,
    failingForMs: row.failing_for,
    lastFailureAt: row.last_failure_at,
    lastError: row.last_error,
    lastSuccessAt: row.last_success_at,
    exhaustedSince: row.exhausted_since,
    disabled: at === null || reason === null || by === null ? null : { reason, at, by },
  }
}

/** How the endpoints stand that the file names. Of a disabled one pending rows are to be held yet. */
export const STANDINGS = `
  SELECT endpoints.*, coalesce(amount, 0) AS pending, coalesce((
    SELECT sum(amount) FROM tallies
    WHERE tallies.subscription = endpoints.subscription AND state IN ('held', 'pending') AND disabled_at IS NOT NULL
  ), 0) AS held
  FROM endpoints LEFT JOIN tallies ON tallies.subscription = endpoints.subscription AND state = 'pending'
  WHERE configured = 1 ORDER BY endpoints.subscription`

export interface StandingRow extends FactsRow {
  readonly enabled: number
  readonly held: number
  readonly pending: number
}

export function toStanding(row: StandingRow): EndpointStanding {
  return { ...toFacts(row), held: row.held, enabled: row.enabled === 1, pending: row.pending }
}

const MADE = TABLES.runtime_subscriptions.only(
  'owner settings made_at renewed_at verified_at disabled_by disabled_reason disabled_at',
)

/**
 * The rows of endpoints, beside each what was made at run time of its name: its columns are `run_…`. Left out is what was and ended,
 * unless a file has its name by now.
 */
export const MADE_COLUMNS = Object.keys(MADE.columns)
  .map((column) => `made.${column} AS run_${column}`)
  .join(', ')
export const JOIN_MADE = `
  LEFT JOIN runtime_subscriptions AS made ON made.name = endpoints.subscription
    AND NOT (endpoints.configured = 1 AND (made.ended_at IS NOT NULL OR coalesce(made.disabled_by, '') = 'file'))`
export const IS_LISTED = 'made.ended_at IS NULL'

type MadeRow = {
  readonly [Name in keyof PlainRowOf<typeof MADE> as `run_${Name}`]: PlainRowOf<typeof MADE>[Name] | null
}

export interface OverviewRow extends FactsRow, MadeRow, Numbered {
  readonly configured: number
  readonly enabled: number
  readonly keep_ms: number | null
}

function toRuntime(row: MadeRow): EndpointOverview['runtime'] {
  const { run_disabled_at: at, run_disabled_by: by, run_disabled_reason: reason } = row
  const { run_made_at: madeAt, run_renewed_at: renewedAt, run_settings: settings } = row
  if (settings === null || madeAt === null || renewedAt === null) return null
  const disabled = at === null || by === null || reason === null ? null : { by, reason, at }
  return { owner: row.run_owner, settings, madeAt, renewedAt, verifiedAt: row.run_verified_at, disabled }
}

/** What failed while a subscription was sent to is no failure of its feed. */
const NOTHING_FAILS = { failuresInARow: 0, failingSince: null }

export function toOverview(
  row: OverviewRow,
  tallies: readonly { readonly state: DeliveryState; readonly amount: number }[],
  oldestPendingAt: number | null,
): EndpointOverview {
  const counts = { pending: 0, delivered: 0, exhausted: 0, held: 0, discarded: 0 }
  for (const { amount, state } of tallies) counts[state] = amount
  const switches = { configured: row.configured === 1, enabled: row.enabled === 1, isPulled: row.keep_ms !== null }
  return {
    ...toFacts(row),
    ...switches,
    ...(switches.isPulled && NOTHING_FAILS),
    counts,
    oldestPendingAt,
    position: newestPosition(row),
    runtime: toRuntime(row),
  }
}
