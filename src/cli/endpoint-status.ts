import type { DeliveryState } from '../model/delivery.ts'
import { formatDuration } from '../model/duration.ts'
import type { JsonObject } from '../model/json.ts'
import { formatInstant } from '../model/instant.ts'
import type { CommandContext } from './command-context.ts'
import { painter } from './terminal.ts'
import type { Endpoint } from './require-named.ts'
import { writeTable, type Cell } from './table.ts'

const COLUMNS = [
  { title: 'SUBSCRIPTION' },
  { title: 'STATE' },
  { title: 'PENDING', align: 'right' },
  { title: 'HELD', align: 'right' },
  { title: 'DELIVERED', align: 'right' },
  { title: 'EXHAUSTED', align: 'right' },
  { title: 'DISCARDED', align: 'right' },
  { title: 'FAILURES IN A ROW', align: 'right' },
  { title: 'LAST SUCCESS' },
  { title: 'OLDEST PENDING' },
] as const

export function writeEndpoints(context: CommandContext, endpoints: readonly Endpoint[]): void {
  if (endpoints.length === 0) {
    context.stdout.write('No subscriptions yet: the daemon makes them known when it starts.\n')
    return
  }
  const now = context.clock.now()
  const rows = endpoints.map((endpoint) => cells(endpoint, now))
  if (endpoints.length > 1) rows.push(totalCells(endpoints, now))
  writeTable(COLUMNS, rows, { stream: context.stdout, paint: painter(context) })
}

/** Rows of the ledger over all subscriptions, tests left out. `undelivered`: pending, held and exhausted ones. */
export function totalsJson(endpoints: readonly Endpoint[], now: number): JsonObject {
  const counts = totals(endpoints)
  const oldest = oldestPending(endpoints)
  return {
    ...counts,
    undelivered: counts.pending + counts.held + counts.exhausted,
    oldest_pending_at: instantOrNull(oldest),
    oldest_pending_seconds: seconds(oldest, now),
  }
}

export function endpointJson(endpoint: Endpoint, now: number): JsonObject {
  const { disabled } = endpoint
  return {
    name: endpoint.subscription,
    state: stateOf(endpoint).text,
    configured: endpoint.configured,
    enabled: endpoint.enabled,
    disabled: disabled === null ? null : { reason: disabled.reason, at: formatInstant(disabled.at), by: disabled.by },
    deliveries: { ...endpoint.counts },
    failures_in_a_row: endpoint.failuresInARow,
    failing_since: instantOrNull(endpoint.failingSince),
    exhausted_since: instantOrNull(endpoint.exhaustedSince),
    last_failure_at: instantOrNull(endpoint.lastFailureAt),
    last_error: endpoint.lastError,
    last_success_at: instantOrNull(endpoint.lastSuccessAt),
    oldest_pending_at: instantOrNull(endpoint.oldestPendingAt),
    oldest_pending_seconds: seconds(endpoint.oldestPendingAt, now),
  }
}

function cells(endpoint: Endpoint, now: number): readonly Cell[] {
  const { text, style } = stateOf(endpoint)
  const reason = endpoint.disabled?.reason ?? text
  // Stores of version 1 hold "disabled by command".
  const because = reason.startsWith(text) ? reason : `${text}: ${reason}`
  return [
    endpoint.subscription,
    { text: because, style },
    ...countCells(endpoint.counts),
    String(endpoint.failuresInARow),
    instantOrNull(endpoint.lastSuccessAt) ?? '–',
    age(endpoint.oldestPendingAt, now),
  ]
}

function totalCells(endpoints: readonly Endpoint[], now: number): readonly Cell[] {
  return ['all', '', ...countCells(totals(endpoints)), '', '', age(oldestPending(endpoints), now)]
}

function countCells({ pending, held, delivered, exhausted, discarded }: Endpoint['counts']): readonly Cell[] {
  return [pending, held, delivered, exhausted, discarded].map(String)
}

function totals(endpoints: readonly Endpoint[]): Endpoint['counts'] {
  const sum = (state: DeliveryState): number => endpoints.reduce((total, { counts }) => total + counts[state], 0)
  return {
    pending: sum('pending'),
    delivered: sum('delivered'),
    exhausted: sum('exhausted'),
    held: sum('held'),
    discarded: sum('discarded'),
  }
}

function oldestPending(endpoints: readonly Endpoint[]): number | null {
  const instants = endpoints.flatMap(({ oldestPendingAt }) => oldestPendingAt ?? [])
  return instants.length === 0 ? null : Math.min(...instants)
}

/** A clock that was set back shows 0. */
function seconds(at: number | null, now: number): number | null {
  return at === null ? null : Math.max(Math.floor((now - at) / 1_000), 0)
}

function age(at: number | null, now: number): string {
  const old = seconds(at, now)
  return old === null ? '–' : `${formatDuration(old * 1_000)} ago`
}

/** `removed`: no longer in the configuration; its rows are held. `failing` from the first failure, though that is no alert yet. */
function stateOf({ configured, enabled, disabled, exhaustedSince, failuresInARow }: Endpoint) {
  if (!configured) return { text: 'removed', style: 'dim' } as const
  if (disabled !== null || !enabled) return { text: 'disabled', style: 'red' } as const
  if (exhaustedSince !== null) return { text: 'exhausted', style: 'red' } as const
  return failuresInARow > 0
    ? ({ text: 'failing', style: 'yellow' } as const)
    : ({ text: 'ok', style: 'green' } as const)
}

function instantOrNull(at: number | null): string | null {
  return at === null ? null : formatInstant(at)
}
