import type { Freshness, ResourceFreshness } from '../report/freshness.ts'
import type { CommandContext } from './command-context.ts'
import { roughDuration } from '../report/delay.ts'
import { painter } from './terminal.ts'
import { writeTable } from './table.ts'
import { watchedAs } from '../model/resource.ts'
import { wallTime } from './wall-clock.ts'

const COLUMNS = [
  { title: 'ACCOUNT' },
  { title: 'RESOURCE' },
  { title: 'EXPECTED (95 %)' },
  { title: 'ACHIEVED (95 %)' },
  { title: 'CHANGES', align: 'right' },
] as const

/** How soon changes are seen, as far as that is known, and where the platform bears less than the budget. */
export function writeFreshness(context: CommandContext, accounts: readonly Freshness[]): void {
  const { stdout } = context
  const paint = painter(context)
  for (const { account, ceiling } of accounts) {
    if (ceiling === null) continue
    const line = `${account}: the platform bears ${Math.round(ceiling.fraction * 100)} % of the budget since ${wallTime(ceiling.loweredAt)}.`
    stdout.write(`${paint('yellow', line)}\n`)
  }
  const rows = accounts.flatMap(({ account, resources }) =>
    resources.map(({ achieved, changes, expected, resource }) => [
      account,
      watchedAs(resource),
      delayText(expected),
      delayText(achieved),
      String(changes),
    ]),
  )
  if (rows.length === 0) return
  stdout.write('\nHow long changes go unseen: on average (95 % within); achieved: the last 7 days\n')
  writeTable(COLUMNS, rows, { stream: stdout, paint })
}

function delayText(delay: ResourceFreshness['expected']): string {
  return delay === null ? '–' : `${roughDuration(delay.meanMs)} (${roughDuration(delay.p95Ms)})`
}
