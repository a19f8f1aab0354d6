import { Command } from 'commander'
import { ringTest } from '../operate/ring-test.ts'
import { requireWholeConfig } from '../operate/runtime/whole-config.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { requireSubscription } from './require-named.ts'
import { sendTest } from './send-test.ts'
import { wouldReceive } from './would-receive.ts'
import { onWallClock, zoneOption } from './wall-clock.ts'

interface TestOptions extends JsonOptions {
  readonly config: string
  readonly since?: string
}

export function subscriptionsTestCommand(context: CommandContext): Command {
  return new Command('test')
    .description('Send a signed shipbell.test event down the real delivery path, once; exit code 1 unless it arrives')
    .argument('<name>', 'the subscription')
    .addOption(configOption())
    .option(
      '--since <time>',
      'send nothing: say what it would have received since a date-time, a date, or a duration ago',
    )
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(
      onWallClock(context, async (name: string, options: TestOptions) => {
        const config = await requireWholeConfig(options.config, context)
        const subscription = requireSubscription(config, name)
        const { since } = options
        const json = jsonOutput(context, options)
        if (since !== undefined) return await wouldReceive(context, { file: options.config, subscription, since, json })
        const { subscriptions } = config
        await sendTest(context, {
          config,
          subscription,
          json,
          command: 'subscriptions test',
          ring: async (store) => (await ringTest(store, { name, subscriptions, at: context.clock.now() })).row,
        })
      }),
    )
}
