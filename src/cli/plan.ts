import { Command } from 'commander'
import { planConfigured } from '../operate/account-plan.ts'
import { requireConfig } from '../config/load-config.ts'
import { ShipbellError } from '../errors.ts'
import { planJson } from '../report/plan.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption } from './options.ts'
import { requireAccount } from './require-named.ts'
import { writePlans } from './write-plan.ts'
import { onWallClock, zoneOption } from './wall-clock.ts'

interface PlanOptions extends JsonOptions {
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
    .addOption(jsonOption())
    .addOption(templateOption())
    .addHelpText('after', '\nExit code 1: the budget does not cover what is promised (`every`).')
    .addOption(zoneOption())
    .action(
      onWallClock(context, async ({ account, budget, config: file, ...options }: PlanOptions) => {
        const json = jsonOutput(context, options)
        const suppose = budget === undefined ? undefined : requestsOf(budget)
        const config = requireConfig(file, context)
        if (account !== undefined) requireAccount(config, account)
        const plans = await planConfigured(config, {
          clock: context.clock,
          ...(account === undefined ? {} : { account }),
          ...(suppose === undefined ? {} : { suppose }),
        })
        if (json !== null) json.document(planJson(plans))
        else writePlans(context, plans)
        if (plans.some(({ fits }) => !fits)) context.setExitCode(1)
      }),
    )
}

function requestsOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new ShipbellError(
    'usage',
    `--budget ${JSON.stringify(text)} is not a number of requests: give a whole number from 1 to 999999999.`,
  )
}
