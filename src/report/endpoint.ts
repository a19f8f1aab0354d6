import type { DeliveryState } from '../model/delivery.ts'
import { formatInstant, formatInstantOrNull } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import type { SnapshotStanding } from '../model/snapshot-run.ts'
import type { EndpointOverview } from '../store/ports/query-port.ts'
import { snapshotJson } from './snapshot-run.ts'

/**
 * Rows of the ledger over all subscriptions, tests left out. `undelivered`: pending, held and exhausted ones, but for those that only wait
 * for their hour, or to be taken from a feed.
 */
export function totalsJson(endpoints: readonly EndpointOverview[], now: number, waiting: number): JsonObject {
  const counts = deliveryTotals(endpoints)
  const oldest = oldestPendingAt(endpoints)
  return {
    ...counts,
    waiting,
    undelivered: Math.max(undeliveredRows(endpoints) - waiting, 0),
    oldest_pending_at: formatInstantOrNull(oldest),
    oldest_pending_seconds: secondsSince(oldest, now),
  }
}

/** Rows that are pending, held or exhausted, but for those that wait to be taken from a feed. */
export function undeliveredRows(endpoints: readonly EndpointOverview[]): number {
  const sent = deliveryTotals(endpoints.filter(({ isPulled }) => !isPulled))
  return sent.pending + sent.held + deliveryTotals(endpoints).exhausted
}

/** `run`: the last run that sends it every known record; undefined: there was none. */
export function endpointJson(endpoint: EndpointOverview, now: number, run: SnapshotStanding | undefined): JsonObject {
  const disabled = endpoint.runtime?.disabled ?? endpoint.disabled
  return {
    name: endpoint.subscription,
    state: endpointState(endpoint).text,
    configured: endpoint.configured,
    enabled: endpoint.enabled,
    disabled: disabled === null ? null : { reason: disabled.reason, at: formatInstant(disabled.at), by: disabled.by },
    deliveries: { ...endpoint.counts },
    failures_in_a_row: endpoint.failuresInARow,
    failing_since: formatInstantOrNull(endpoint.failingSince),
    exhausted_since: formatInstantOrNull(endpoint.exhaustedSince),
    last_failure_at: formatInstantOrNull(endpoint.lastFailureAt),
    last_error: endpoint.lastError,
    last_success_at: formatInstantOrNull(endpoint.lastSuccessAt),
    source: endpoint.runtime === null ? 'file' : 'api',
    owner: endpoint.runtime?.owner ?? null,
    snapshot: snapshotJson(run),
    oldest_pending_at: formatInstantOrNull(endpoint.oldestPendingAt),
    oldest_pending_seconds: secondsSince(endpoint.oldestPendingAt, now),
  }
}

export function deliveryTotals(endpoints: readonly EndpointOverview[]): EndpointOverview['counts'] {
  const sum = (state: DeliveryState): number => endpoints.reduce((total, { counts }) => total + counts[state], 0)
  return {
    pending: sum('pending'),
    delivered: sum('delivered'),
    exhausted: sum('exhausted'),
    held: sum('held'),
    discarded: sum('discarded'),
  }
}

/** When the oldest event rang that waits to be sent; null: none does. */
export function oldestPendingAt(endpoints: readonly EndpointOverview[]): number | null {
  const instants = endpoints.flatMap(({ isPulled, oldestPendingAt }) => (isPulled ? [] : (oldestPendingAt ?? [])))
  return instants.length === 0 ? null : Math.min(...instants)
}

/** A clock that was set back shows 0. */
function secondsSince(at: number | null, now: number): number | null {
  return at === null ? null : Math.max(Math.floor((now - at) / 1_000), 0)
}

/**
 * `removed`: no longer in the configuration; its rows are held. `unverified`: made at run time, and no test of it was answered yet.
 * `failing` from the first failure, though that is no alert yet.
 */
export function endpointState(endpoint: EndpointOverview) {
  const { configured, disabled, enabled, exhaustedSince, failuresInARow, runtime } = endpoint
  if (runtime !== null && runtime.disabled !== null) return { text: 'disabled', style: 'red' } as const
  if (runtime !== null && runtime.verifiedAt === null) return { text: 'unverified', style: 'yellow' } as const
  if (!configured) return { text: 'removed', style: 'dim' } as const
  if (disabled !== null || !enabled) return { text: 'disabled', style: 'red' } as const
  if (exhaustedSince !== null) return { text: 'exhausted', style: 'red' } as const
  return failuresInARow > 0
    ? ({ text: 'failing', style: 'yellow' } as const)
    : ({ text: 'ok', style: 'green' } as const)
}

/** Why nothing but tests is sent to an endpoint although no failure and no command disabled it, and what helps; null: that is not so. */
export function whyShut({ configured, enabled, runtime }: EndpointOverview): string | null {
  if (runtime?.disabled != null) return `is disabled: ${runtime.disabled.reason}`
  if (runtime?.verifiedAt === null) return 'is not verified: no test of it was answered with 2xx yet'
  if (!configured) return 'is not in the configuration'
  return enabled ? null : 'is disabled in the configuration (enabled: false)'
}
