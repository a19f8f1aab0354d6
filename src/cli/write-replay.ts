import type { AccountReplay, ResourceReplay } from '../report/plan.ts'
import type { CommandContext } from './command-context.ts'
import { painter } from './terminal.ts'
import { roughDuration } from '../report/delay.ts'
import { writeTable, type Cell } from './table.ts'
import { watchedAs } from '../model/resource.ts'
import { wallTime } from './wall-clock.ts'

const COLUMNS = [
  { title: 'REPLAYED' },
  { title: 'CHANGES', align: 'right' },
  { title: 'RECORDED MEAN', align: 'right' },
  { title: '95 %', align: 'right' },
  { title: 'BUDGET AS IT IS', align: 'right' },
  { title: '95 %', align: 'right' },
  { title: 'SUPPOSED', align: 'right' },
  { title: '95 %', align: 'right' },
] as const

/** Fewer changes than this say little. */
const FEW = 20

/** What would have been seen when: the past with the budget as it is and as is supposed, beside what happened. */
export function writeReplay(context: CommandContext, { from, resources, to }: AccountReplay): void {
  const { stdout } = context
  stdout.write('\n')
  if (resources.length === 0) {
    const when =
      from < to ? `from ${wallTime(from)} on, the last that so many requests can be replayed for` : 'in the last 7 days'
    stdout.write(`Nothing to replay: no change was seen ${when}.\n`)
    return
  }
  writeTable(COLUMNS, resources.map(cells), { stream: stdout, paint: painter(context) })
  stdout.write(`Replayed: what changed from ${wallTime(from)} to ${wallTime(to)}.\n`)
  for (const { changes, resource, unseen } of resources) {
    const name = watchedAs(resource)
    if (changes < FEW) stdout.write(`${name}: ${changes} changes are too few to go by.\n`)
    if (unseen > 0) stdout.write(`${name}: ${unseen} of ${changes} changes would not have been seen by the end.\n`)
  }
}

function cells({ asIs, changes, recorded, resource, supposed }: ResourceReplay): readonly Cell[] {
  return [watchedAs(resource), String(changes), ...[recorded, asIs, supposed].flatMap(delayCells)]
}

function delayCells(delay: ResourceReplay['recorded']): readonly Cell[] {
  return delay === null ? ['–', '–'] : [roughDuration(delay.meanMs), roughDuration(delay.p95Ms)]
}
