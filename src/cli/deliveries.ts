import { deliveryJson } from '../report/delivery.ts'
import { Command, Option } from 'commander'
import { openConfiguredStore } from '../app/configured-store.ts'
import type { Store } from '../store/ports.ts'
import { DELIVERY_STATES, type Delivery, type DeliveryState } from '../model/delivery.ts'
import type { CommandContext } from './command-context.ts'
import { deliveriesRetryCommand } from './deliveries-retry.ts'
import { writeDeliveries } from './delivery-rows.ts'
import { writeJsonList, type JsonOption } from './json-output.ts'
import { configOption, pointInTime, rowLimit } from './options.ts'
import { requireEndpoint } from './require-named.ts'

export function deliveriesCommand(context: CommandContext): Command {
  return new Command('deliveries')
    .description('The ledger: one row for every event and subscription that match')
    .addCommand(deliveriesListCommand(context))
    .addCommand(deliveriesRetryCommand(context))
}

const UNDELIVERED = ['pending', 'held', 'exhausted'] as const satisfies readonly DeliveryState[]

interface ListOptions extends JsonOption {
  readonly config: string
  readonly undelivered?: true
  readonly subscription?: string
  readonly state?: DeliveryState
  readonly since?: string
  readonly limit?: string
}

export function deliveriesListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('Rows of the ledger, newest last; with --undelivered the exit code is 1 when there are any')
    .addOption(configOption())
    .addOption(new Option('--undelivered', 'only pending, held and exhausted rows').conflicts('state'))
    .addOption(new Option('--state <state>', 'only rows in this state').choices(DELIVERY_STATES))
    .option('--subscription <name>', 'only of this subscription')
    .option('--since <time>', 'only of events since an ISO date-time, a date, or a duration ago (24h)')
    .option('--limit <n>', 'at most the newest n (50; with --json all)')
    .option('--json', 'one JSON document')
    .action(async (options: ListOptions) => await list(context, options))
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  await using store = openConfiguredStore(options.config, context, 'read')
  const deliveries = await select(store, options, context.clock.now())
  if (options.json === true) writeJsonList(context, deliveries, deliveryJson)
  else if (deliveries.length === 0)
    context.stdout.write(options.undelivered === true ? 'Nothing undelivered.\n' : 'No deliveries.\n')
  else writeDeliveries(context, deliveries)
  if (options.json !== true && deliveries.length === rowLimit(options)) {
    context.stderr.write(`The newest ${deliveries.length}; --limit N shows more.\n`)
  }
  if (options.undelivered === true && deliveries.length > 0) context.setExitCode(1)
}

async function select(store: Store, options: ListOptions, now: number): Promise<readonly Delivery[]> {
  const { subscription, state, undelivered, since } = options
  if (subscription !== undefined) await requireEndpoint(store, subscription)
  const rows = await store.deliveries({
    ...(subscription !== undefined && { subscription }),
    ...(state !== undefined && { states: [state] }),
    ...(undelivered === true && { states: UNDELIVERED, tests: false }),
    ...pointInTime(since, now),
    limit: rowLimit(options),
  })
  return rows.toReversed()
}
