import { formatDuration } from '../model/duration.ts'
import { formatInstant } from '../model/instant.ts'
import { roughDuration } from './delay.ts'
import type { AccountPlan } from './plan.ts'

/** What an account may ask for, in a few words. */
export function budgetWords({ allowedPerHour, budget, ceiling, tenants }: AccountPlan): string {
  const { perMs, requests, share } = budget
  const parts = [
    `${counted(requests, 'request')} per ${formatDuration(perMs)}`,
    ...(share === 1 ? [] : [`${percent(share)} of it`]),
    ...(tenants === 1 ? [] : [`shared by ${tenants} accounts of one key`]),
    ...(ceiling === null ? [] : [`of which the platform bears ${percent(ceiling.fraction)}`]),
    `so ${amount(allowedPerHour)} an hour`,
  ]
  return parts.join(', ')
}

/** What is to be known beside the numbers, one sentence each. May hold what a platform said. */
export function planNotes({ auditedPerHour, ceiling, isKnown, resources }: AccountPlan): readonly string[] {
  const unknown = resources.filter((each) => !each.isKnown).map(({ watch }) => watch)
  const refused = resources.flatMap(({ refused: reason, watch }) => (reason === null ? [] : [[watch, reason] as const]))
  return [
    ...(auditedPerHour === 0
      ? []
      : [
          `At most ${amount(auditedPerHour)} requests an hour of what is left fetch sampled records by id, to see whether their lists show them as they are (\`audit\`).`,
        ]),
    ...refused.map(
      ([watch, reason]) =>
        `The key may not read ${watch}, so that promise is not kept: ${reason} It is asked for every 15m at most.`,
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

/** Whether the promises are kept, what is kept of them, and what would fit. */
export function planVerdict(plan: AccountPlan): readonly string[] {
  const { allowedPerHour, fits, neededPerHour, resources } = plan
  const takes = `they take ${amount(neededPerHour)} of ${amount(allowedPerHour)} requests an hour`
  if (fits) return [`The promises fit: ${takes}. What is left goes where change is likely.`]
  const read = resources.filter(({ requests }) => requests > 0)
  const keepable = read.map(
    ({ everyMs, keptEveryMs, watch }) =>
      `${watch} every ${roughDuration(keptEveryMs)} instead of ${formatDuration(everyMs)}`,
  )
  const bearable = read.map(({ bearableEveryMs, watch }) => `${watch} ${roughDuration(bearableEveryMs, roundUp)}`)
  const remedies = [...budgetRemedy(plan), `\`every\` of ${bearable.join(', ')}`]
  return [
    `The promises do not fit: ${takes}. What is kept: ${keepable.join(', ')}.`,
    `What would fit: ${remedies.join(', or ')}.`,
  ]
}

function budgetRemedy({ budget, ceiling, smallestBudget, tenants }: AccountPlan): readonly string[] {
  if (smallestBudget === null) return []
  if (ceiling !== null && smallestBudget <= budget.requests) return ['the whole budget, once the platform bears it']
  const whose = tenants === 1 ? '' : ' for each account of the key'
  return [`\`budget: { requests: ${smallestBudget}, per: ${formatDuration(budget.perMs)} }\`${whose}`]
}

/** `1 page`, `2,000 pages` */
export function counted(many: number, of: string): string {
  return `${amount(many)} ${of}${many === 1 ? '' : 's'}`
}

/** Rounds up, but a number that is whole, apart from how numbers are stored, stays. */
function roundUp(many: number): number {
  return Math.ceil(many - 1e-6)
}

/** Whole from 10 on. */
export function amount(many: number): string {
  return (many < 10 ? Math.round(many * 10) / 10 : Math.round(many)).toLocaleString('en')
}

/** `20 %` */
export function percent(part: number): string {
  return `${Math.round(part * 100)} %`
}
