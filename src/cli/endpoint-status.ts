import type { JsonObject } from '../model/json.ts'
import { formatInstant } from '../model/instant.ts'
import type { CommandContext } from './command-context.ts'
import { painter } from './paint.ts'
import type { Endpoint } from './require-endpoint.ts'
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
  if (endpoints.length === 0)
    context.stdout.write('No subscriptions yet: the daemon makes them known when it starts.\n')
  else writeTable(COLUMNS, endpoints.map(cells), { stream: context.stdout, paint: painter(context) })
}

export function endpointJson(endpoint: Endpoint): JsonObject {
  const { disabled } = endpoint
  return {
    name: endpoint.subscription,
    state: stateOf(endpoint).text,
    configured: endpoint.configured,
    enabled: endpoint.enabled,
    disabled: disabled === null ? null : { reason: disabled.reason, at: formatInstant(disabled.at) },
    deliveries: { ...endpoint.counts },
    failures_in_a_row: endpoint.failuresInARow,
    last_success_at: instantOrNull(endpoint.lastSuccessAt),
    oldest_pending_at: instantOrNull(endpoint.oldestPendingAt),
  }
}

function cells(endpoint: Endpoint): readonly Cell[] {
  const { counts } = endpoint
  const { text, style } = stateOf(endpoint)
  const because = endpoint.disabled === null ? text : `${text}: ${endpoint.disabled.reason}`
  return [
    endpoint.subscription,
    { text: because, style },
    String(counts.pending),
    String(counts.held),
    String(counts.delivered),
    String(counts.exhausted),
    String(counts.discarded),
    String(endpoint.failuresInARow),
    instantOrNull(endpoint.lastSuccessAt) ?? '–',
    instantOrNull(endpoint.oldestPendingAt) ?? '–',
  ]
}

/** `removed`: no longer in the configuration; its rows are held. */
function stateOf({ configured, enabled, disabled, failuresInARow }: Endpoint) {
  if (!configured) return { text: 'removed', style: 'dim' } as const
  if (disabled !== null || !enabled) return { text: 'disabled', style: 'red' } as const
  return failuresInARow > 0
    ? ({ text: 'failing', style: 'yellow' } as const)
    : ({ text: 'ok', style: 'green' } as const)
}

function instantOrNull(at: number | null): string | null {
  return at === null ? null : formatInstant(at)
}
