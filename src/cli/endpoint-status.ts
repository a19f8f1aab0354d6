import type { SnapshotStanding } from '../model/snapshot-run.ts'
import { roughDuration } from '../report/delay.ts'
import { deliveryTotals, endpointState, oldestPendingAt, whyShut } from '../report/endpoint.ts'
import { snapshotWords } from '../report/snapshot-run.ts'
import type { CommandContext } from './command-context.ts'
import { painter, terminalText } from './terminal.ts'
import type { EndpointOverview } from '../store/ports/query-port.ts'
import { writeTable, type Cell } from './table.ts'
import { wrapped } from './wrapped.ts'
import { wallTime, withWallTimes } from './wall-clock.ts'

const COLUMNS = [
  { title: 'SUBSCRIPTION' },
  { title: 'STATE' },
  { title: 'PENDING', align: 'right' },
  { title: 'OLDEST', align: 'right' },
  { title: 'HELD', align: 'right' },
  { title: 'DELIVERED', align: 'right' },
  { title: 'EXHAUSTED', align: 'right' },
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

/** Why endpoints are not well: a sentence each, which is too long for a table. */
export function writeEndpointNotes(context: CommandContext, endpoints: readonly EndpointOverview[]): void {
  const paint = painter(context)
  for (const endpoint of endpoints) {
    const note = noteOf(endpoint)
    if (note === null) continue
    const line = `${endpoint.subscription} ${note}`
    context.stdout.write(paint(endpointState(endpoint).style, wrapped(terminalText(line), context.stdout)))
  }
}

/** Which subscriptions are being sent every known record, and how far that is. */
export function writeSnapshotNotes({ stdout }: CommandContext, runs: readonly SnapshotStanding[]): void {
  for (const run of runs) {
    const words = snapshotWords(run)
    if (words !== null) stdout.write(wrapped(terminalText(`${run.subscription} ${withWallTimes(words)}`), stdout))
  }
}

function noteOf(endpoint: EndpointOverview): string | null {
  const { configured, disabled, enabled, failingSince, failuresInARow, lastError, runtime } = endpoint
  if (runtime !== null && (runtime.disabled !== null || runtime.verifiedAt === null)) return `${whyShut(endpoint)}.`
  if (!configured) return 'is no longer in the configuration; its events are held.'
  // Stores of version 1 hold "disabled by command".
  if (disabled !== null) return `is disabled ${disabled.reason.replace(/^disabled /, '')}.`
  if (!enabled) return 'is disabled in the configuration.'
  if (failuresInARow === 0) return null
  const since = failingSince === null ? '' : ` since ${wallTime(failingSince)}`
  const times = failuresInARow === 1 ? 'once' : `${failuresInARow} times in a row`
  return `failed ${times}${since}: ${lastError ?? 'no reason known.'}`
}

function cells(endpoint: EndpointOverview, now: number): readonly Cell[] {
  const { subscription, counts, oldestPendingAt: oldest } = endpoint
  return [subscription, endpointState(endpoint), ...countCells(counts, age(oldest, now))]
}

function totalCells(endpoints: readonly EndpointOverview[], now: number): readonly Cell[] {
  return ['all', '', ...countCells(deliveryTotals(endpoints), age(oldestPendingAt(endpoints), now))]
}

function countCells(
  { pending, held, delivered, exhausted }: EndpointOverview['counts'],
  oldest: string,
): readonly Cell[] {
  return [String(pending), oldest, ...[held, delivered, exhausted].map(String)]
}

function age(at: number | null, now: number): string {
  return at === null ? '–' : roughDuration(Math.max(now - at, 0), Math.floor)
}
