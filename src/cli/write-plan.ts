import type { AccountPlan, ResourcePlan } from '../report/plan.ts'
import { formatDuration } from '../model/duration.ts'
import { formatInstant } from '../model/instant.ts'
import type { CommandContext } from './command-context.ts'
import { painter, terminalText } from './terminal.ts'
import { roughDuration } from '../report/delay.ts'
import { writeTable, type Cell } from './table.ts'
import { writeReplay } from './write-replay.ts'

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
  stdout.write(`${paint('bold', plan.account)}: ${budgetText(plan)}\n`)
  for (const line of noteLines(plan)) stdout.write(`${paint('yellow', line)}\n`)
  if (plan.resources.length === 0) {
    stdout.write('Nothing is watched: it takes no request.\n')
    return
  }
  const rows = plan.resources.map((resource) => cells(resource, plan.fits))
  if (rows.length > 1) rows.push(totalCells(plan))
  writeTable(COLUMNS, rows, { stream: stdout, paint })
  for (const line of verdictLines(plan)) stdout.write(`${paint(plan.fits ? 'green' : 'red', line)}\n`)
  if (plan.replay !== null) writeReplay(context, plan.replay)
}

function budgetText({ allowedPerHour, budget, ceiling, tenants }: AccountPlan): string {
  const { perMs, requests, share } = budget
  const parts = [
    `${count(requests, 'request')} per ${formatDuration(perMs)}`,
    ...(share === 1 ? [] : [`${percent(share)} of it`]),
    ...(tenants === 1 ? [] : [`shared by ${tenants} accounts of one key`]),
    ...(ceiling === null ? [] : [`of which the platform bears ${percent(ceiling.fraction)}`]),
    `so ${number(allowedPerHour)} an hour`,
  ]
  return parts.join(', ')
}

function noteLines({ ceiling, isKnown, resources }: AccountPlan): readonly string[] {
  const unknown = resources.filter((each) => !each.isKnown).map(({ watch }) => watch)
  const refused = resources.flatMap(({ refused: reason, watch }) => (reason === null ? [] : [[watch, reason] as const]))
  return [
    ...refused.map(
      ([watch, reason]) =>
        `The key may not read ${watch}, so that promise is not kept: ${terminalText(reason)} It is asked for every 15m at most.`,
    ),
    ...(ceiling === null
      ? []
      : [
          `The platform refused more than ${percent(ceiling.fraction)} of the budget at ${formatInstant(ceiling.loweredAt)}; it is asked for more again little by little.`,
        ]),
    ...(unknown.length === 0
      ? []
      : [
          `Nothing is known yet of ${isKnown ? unknown.join(', ') : 'this account'}: ${isKnown ? 'it goes' : 'this goes'} by the configuration, one page for each list. Ask again after the first pass.`,
        ]),
  ]
}

function cells(resource: ResourcePlan, fits: boolean): Cell[] {
  const { delay, each, everyMs, isKnown, targetPerHour, readEveryMs, requests, requestsPerHour, watch } = resource
  return [
    watch,
    { text: formatDuration(everyMs), style: fits ? 'green' : 'red' },
    `${isKnown || watch === 'order_preparations' ? '' : 'at least '}${count(requests, each)}`,
    number(requestsPerHour),
    number(targetPerHour),
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
    count(
      sum(({ requests }) => requests),
      'request',
    ),
    number(requestsPerHour),
    number(targets),
    '–',
    '–',
    '–',
  ]
}

function verdictLines(plan: AccountPlan): readonly string[] {
  const { allowedPerHour, fits, neededPerHour, resources } = plan
  const takes = `they take ${number(neededPerHour)} of ${number(allowedPerHour)} requests an hour`
  if (fits) return [`The promises fit: ${takes}. What is left goes where change is likely.`]
  const read = resources.filter(({ requests }) => requests > 0)
  const kept = read.map(
    ({ everyMs, keptEveryMs, watch }) =>
      `${watch} every ${roughDuration(keptEveryMs)} instead of ${formatDuration(everyMs)}`,
  )
  const bearable = read.map(({ bearableEveryMs, watch }) => `${watch} ${roughDuration(bearableEveryMs, roundUp)}`)
  const remedies = [...budgetRemedy(plan), `\`every\` of ${bearable.join(', ')}`]
  return [
    `The promises do not fit: ${takes}. What is kept: ${kept.join(', ')}.`,
    `What would fit: ${remedies.join(', or ')}.`,
  ]
}

function budgetRemedy({ budget, ceiling, smallestBudget, tenants }: AccountPlan): readonly string[] {
  if (smallestBudget === null) return []
  if (ceiling !== null && smallestBudget <= budget.requests) return ['the whole budget, once the platform bears it']
  const whose = tenants === 1 ? '' : ' for each account of the key'
  return [`\`budget: { requests: ${smallestBudget}, per: ${formatDuration(budget.perMs)} }\`${whose}`]
}

function count(amount: number, of: string): string {
  return `${number(amount)} ${of}${amount === 1 ? '' : 's'}`
}

/** Rounds up, but a number that is whole, apart from how numbers are stored, stays. */
function roundUp(amount: number): number {
  return Math.ceil(amount - 1e-6)
}

/** Whole from 10 on. */
function number(amount: number): string {
  return (amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)).toLocaleString('en')
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`
}
