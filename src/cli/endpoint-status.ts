import { formatDuration } from '../model/duration.ts'
import { formatInstantOrNull } from '../model/instant.ts'
import { deliveryTotals, endpointState, oldestPendingAt, secondsSince } from '../report/endpoint.ts'
import type { EndpointOverview } from '../store/query-port.ts'
import type { CommandContext } from './command-context.ts'
import { painter } from './terminal.ts'
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

export function writeEndpoints(context: CommandContext, endpoints: readonly EndpointOverview[]): void {
  if (endpoints.length === 0) {
    context.stdout.write('No subscriptions yet: the daemon makes them known when it starts.\n')
    return
  }
  const now = context.clock.now()
  const rows = endpoints.map((endpoint) => cells(endpoint, now))
  if (endpoints.length > 1) rows.push(totalCells(endpoints, now))
  writeTable(COLUMNS, rows, { stream: context.stdout, paint: painter(context) })
}

function cells(endpoint: EndpointOverview, now: number): readonly Cell[] {
  const { text, style } = endpointState(endpoint)
  const reason = endpoint.disabled?.reason ?? text
  // Stores of version 1 hold "disabled by command".
  const because = reason.startsWith(text) ? reason : `${text}: ${reason}`
  return [
    endpoint.subscription,
    { text: because, style },
    ...countCells(endpoint.counts),
    String(endpoint.failuresInARow),
    formatInstantOrNull(endpoint.lastSuccessAt) ?? '–',
    age(endpoint.oldestPendingAt, now),
  ]
}

function totalCells(endpoints: readonly EndpointOverview[], now: number): readonly Cell[] {
  return ['all', '', ...countCells(deliveryTotals(endpoints)), '', '', age(oldestPendingAt(endpoints), now)]
}

function countCells({ pending, held, delivered, exhausted, discarded }: EndpointOverview['counts']): readonly Cell[] {
  return [pending, held, delivered, exhausted, discarded].map(String)
}

function age(at: number | null, now: number): string {
  const old = secondsSince(at, now)
  return old === null ? '–' : `${formatDuration(old * 1_000)} ago`
}
