import { Command } from 'commander'
import { planAccounts, type AccountPlan, type ResourcePlan } from '../app/account-plan.ts'
import { requireConfig } from '../config/load-config.ts'
import { ShipbellError } from '../errors.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import { watchedAs } from '../model/resource.ts'
import type { CommandContext } from './command-context.ts'
import { delayJson } from './delays.ts'
import { writeJson, type JsonOption } from './json-output.ts'
import { configOption } from './options.ts'
import { requireAccount } from './require-named.ts'
import { writePlans } from './write-plan.ts'

interface PlanOptions extends JsonOption {
  readonly config: string
  readonly account?: string
  readonly budget?: string
}

export function planCommand(context: CommandContext): Command {
  return new Command('plan')
    .description('What will be polled how often, what it costs in requests, and whether the budget covers it')
    .addOption(configOption())
    .option('--account <name>', 'only this account')
    .option('--budget <requests>', 'what if it were so many requests per its `per`? replays what was read')
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExit code 1: the budget does not cover what is promised (`every`).')
    .action(async ({ account, budget, config: file, json }: PlanOptions) => {
      const suppose = budget === undefined ? undefined : requestsOf(budget)
      const config = requireConfig(file, context)
      if (account !== undefined) requireAccount(config, account)
      const now = context.clock.now()
      const plans = await planAccounts(config, {
        now,
        ...(account === undefined ? {} : { account }),
        ...(suppose === undefined ? {} : { suppose }),
      })
      if (json === true) writeJson(context, planJson(plans))
      else writePlans(context, plans)
      if (plans.some(({ fits }) => !fits)) context.setExitCode(1)
    })
}

function requestsOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new ShipbellError(
    'usage',
    `--budget ${JSON.stringify(text)} is not a number of requests: give a whole number from 1 to 999999999.`,
  )
}

/** What `plan --json` prints; docs/reference/json-output.md lists the names. */
export function planJson(plans: readonly AccountPlan[]): JsonObject {
  return { fits: plans.every(({ fits }) => fits), accounts: plans.map(accountJson) }
}

function accountJson(plan: AccountPlan): JsonObject {
  const { budget, ceiling, fits } = plan
  return {
    name: plan.account,
    fits,
    known: plan.isKnown,
    budget: { requests: budget.requests, per_seconds: budget.perMs / 1_000, share: budget.share },
    accounts_of_key: plan.tenants,
    ceiling: ceiling === null ? null : { fraction: ceiling.fraction, since: formatInstant(ceiling.loweredAt) },
    requests_per_hour: {
      allowed: rounded(plan.allowedPerHour),
      expected: rounded(plan.requestsPerHour),
      promised: rounded(plan.neededPerHour),
    },
    smallest_budget: plan.smallestBudget,
    resources: plan.resources.map((resource) => resourceJson(resource, fits)),
    replay: plan.replay && {
      from: formatInstant(plan.replay.from),
      to: formatInstant(plan.replay.to),
      resources: plan.replay.resources.map(({ resource, changes, unseen, recorded, asIs, supposed }) => ({
        resource: watchedAs(resource),
        changes,
        recorded: delayJson(recorded),
        as_is: delayJson(asIs),
        supposed: delayJson(supposed),
        unseen,
      })),
    },
  }
}

function resourceJson(plan: ResourcePlan, fits: boolean): JsonObject {
  return {
    resource: plan.watch,
    known: plan.isKnown,
    refused: plan.refused,
    weight: plan.weight,
    every_seconds: plan.everyMs / 1_000,
    kept_every_seconds: rounded(plan.keptEveryMs / 1_000),
    bearable_every_seconds: fits ? plan.everyMs / 1_000 : Math.ceil(plan.bearableEveryMs / 1_000),
    each: plan.each,
    requests: plan.requests,
    requests_per_hour: rounded(plan.requestsPerHour),
    promised_per_hour: rounded(plan.promisedPerHour),
    read_every_seconds: plan.readEveryMs === null ? null : rounded(plan.readEveryMs / 1_000),
    delay: delayJson(plan.delay),
  }
}

function rounded(amount: number): number {
  return Math.round(amount * 1_000) / 1_000
}
