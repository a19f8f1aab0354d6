import { Command } from 'commander'
import { openConfiguredStore } from '../app/configured-store.ts'
import { ringTest } from '../app/ring-test.ts'
import { sendRows } from '../app/send-rows.ts'
import type { Config } from '../config/config.ts'
import { requireConfig } from '../config/load-config.ts'
import { ShipbellError } from '../errors.ts'
import type { Subscription } from '../model/subscription.ts'
import { programName, type CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions, type JsonOutput } from './json-output.ts'
import { assertKnownToDaemon, requireSubscription } from './require-named.ts'
import { terminalText } from './terminal.ts'
import { testedDelivery, testedJson, type TestedDelivery } from '../report/tested-delivery.ts'
import { wouldReceive } from './would-receive.ts'

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
    .action(async (name: string, options: TestOptions) => {
      const config = requireConfig(options.config, context)
      const subscription = requireSubscription(config, name)
      const { since } = options
      const json = jsonOutput(context, options)
      if (since !== undefined) return await wouldReceive(context, { file: options.config, subscription, since, json })
      await test(context, { config, subscription, json })
    })
}

async function test(
  context: CommandContext,
  { config, subscription, json }: { config: Config; subscription: Subscription; json: JsonOutput | null },
): Promise<void> {
  const [row] = await sendRows({
    file: config.file,
    surroundings: context,
    command: 'subscriptions test',
    makesStore: true,
    attemptMs: subscription.channel.timeoutMs,
    prepare: async (store, daemon) => {
      if (daemon) await assertKnownToDaemon(store, subscription.name)
      const { name } = subscription
      const rung = await ringTest(store, { name, subscriptions: config.subscriptions, at: context.clock.now() })
      return [rung.row]
    },
  })
  if (row === undefined) throw new ShipbellError('internal', `The test of ${subscription.name} has no row.`)
  await using store = openConfiguredStore(config.file, context, 'read')
  const tested = await testedDelivery(store, row, subscription)
  if (json !== null) json.document(testedJson(tested))
  else write(context, tested)
  if (row.state !== 'delivered') context.setExitCode(1)
}

function write(context: CommandContext, { row, attempt, disabled }: TestedDelivery): void {
  const { stdout, stderr } = context
  const name = terminalText(row.subscription)
  if (disabled !== null) {
    stderr.write(
      `${name} is disabled (${terminalText(disabled)}): its events are held, but a test is sent all the same.\n`,
    )
  }
  if (attempt === null) {
    const show = `\`${programName(context)} events show ${row.eventId}\``
    stdout.write(`${name}: no attempt was made in time; ${show} tells when one was.\n`)
    return
  }
  const { status, durationMs, error, answer } = attempt
  const outcome = error === null ? `delivered, answered ${status}` : `NOT delivered, ${terminalText(error)}`
  stdout.write(`${name}: ${outcome} (${durationMs} ms)\n`)
  if (answer !== null && answer !== '') stdout.write(`  it said: ${terminalText(answer)}\n`)
  stdout.write(`  event ${row.eventId}, delivery ${row.id}\n`)
}
