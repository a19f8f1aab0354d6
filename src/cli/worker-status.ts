import type { WorkerOverview } from '../report/workers.ts'
import type { CommandContext } from './command-context.ts'
import { writeTable } from './table.ts'
import { painter } from './terminal.ts'
import { wallTime } from './wall-clock.ts'

const WORKERS = [
  { title: 'WORKER' },
  { title: 'HOST' },
  { title: 'PROCESS', align: 'right' },
  { title: 'VERSION' },
  { title: 'SINCE' },
  { title: 'ACCOUNTS' },
] as const

/** How many accounts of a worker are named where it has more. */
const MOST_NAMED = 12

/** A line for each worker of a store that several share. */
export function writeWorkers(context: CommandContext, workers: readonly WorkerOverview[]): void {
  if (workers.length === 0) return
  const rows = workers.map(({ accounts, configDiffers, host, id, pid, since, version }) => [
    id.slice(0, 8),
    host,
    String(pid),
    version,
    wallTime(since),
    configDiffers
      ? ({ text: 'none: a newer configuration is in force', style: 'yellow' } as const)
      : accounts.length === 0
        ? 'none'
        : named(accounts),
  ])
  writeTable(WORKERS, rows, { stream: context.stdout, paint: painter(context) })
  context.stdout.write('\n')
}

function named(accounts: readonly string[]): string {
  const more = accounts.length - MOST_NAMED
  return `${accounts.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
