import type { AccountPlan, ResourcePlan } from '../report/plan.ts'
import { formatDuration } from '../model/duration.ts'
import type { CommandContext } from './command-context.ts'
import { painter, terminalText } from './terminal.ts'
import { roughDuration } from '../report/delay.ts'
import { amount, budgetWords, counted, planNotes, planVerdict } from '../report/plan-words.ts'
import { writeTable, type Cell } from './table.ts'
import { writeReplay } from './write-replay.ts'

/** The longest note: it may hold what a platform said. */
const LONGEST_NOTE = 500

const COLUMNS = [
  { title: 'RESOURCE' },
  { title: 'PROMISED EVERY', align: 'right' },
  { title: 'TO READ', align: 'right' },
  { title: 'REQUESTS/H', align: 'right' },
  { title: 'PROMISED/H', align: 'right' },
  { title: 'READ EVERY', align: 'right' },
  { title: 'MEAN DELAY', align: 'right' },
  { title: '95 % WITHIN', align: 'right' },
] as const

/** What is read how often, and in plain words whether that keeps the refresh targets. */
export function writePlans(context: CommandContext, plans: readonly AccountPlan[]): void {
  if (plans.length === 0) context.stdout.write('No account is configured: there is nothing to read.\n')
  plans.forEach((plan, nth) => {
    if (nth > 0) context.stdout.write('\n')
    writePlan(context, plan)
  })
}

function writePlan(context: CommandContext, plan: AccountPlan): void {
  const paint = painter(context)
  const { stdout } = context
  stdout.write(`${paint('bold', plan.account)}: ${budgetWords(plan)}\n`)
  for (const line of planNotes(plan)) stdout.write(`${paint('yellow', terminalText(line, LONGEST_NOTE))}\n`)
  if (plan.resources.length === 0) {
    stdout.write('Nothing is watched: it takes no request.\n')
    return
  }
  const rows = plan.resources.map((resource) => cells(resource, plan.fits))
  if (rows.length > 1) rows.push(totalCells(plan))
  writeTable(COLUMNS, rows, { stream: stdout, paint })
  for (const line of planVerdict(plan)) stdout.write(`${paint(plan.fits ? 'green' : 'red', line)}\n`)
  if (plan.replay !== null) writeReplay(context, plan.replay)
}

function cells(resource: ResourcePlan, fits: boolean): Cell[] {
  const { delay, each, everyMs, isKnown, targetPerHour, readEveryMs, requests, requestsPerHour, watch } = resource
  return [
    watch,
    { text: formatDuration(everyMs), style: fits ? 'green' : 'red' },
    `${isKnown || watch === 'order_preparations' ? '' : 'at least '}${counted(requests, each)}`,
    amount(requestsPerHour),
    amount(targetPerHour),
    readEveryMs === null ? '–' : roughDuration(readEveryMs),
    delay === null ? '–' : roughDuration(delay.meanMs),
    delay === null ? '–' : roughDuration(delay.p95Ms),
  ]
}

function totalCells({ requestsPerHour, resources }: AccountPlan): Cell[] {
  const sum = (of: (resource: ResourcePlan) => number): number => resources.reduce((total, each) => total + of(each), 0)
  const targets = sum(({ targetPerHour }) => targetPerHour)
  return [
    'all',
    '',
    counted(
      sum(({ requests }) => requests),
      'request',
    ),
    amount(requestsPerHour),
    amount(targets),
    '–',
    '–',
    '–',
  ]
}
