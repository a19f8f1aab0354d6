import { deliveryJson } from '../report/delivery.ts'
import { Command, Option } from 'commander'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { DELIVERY_STATES, type Delivery, type DeliveryState } from '../model/delivery.ts'
import type { PageQuery } from '../model/page.ts'
import type { CommandContext } from './command-context.ts'
import { deliveriesRetryCommand } from './deliveries-retry.ts'
import { writeDeliveries } from './delivery-rows.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption, dataRows, newestRows, pointInTime, rowLimit } from './options.ts'
import { assertAccountKnown, requireEndpoint } from './require-named.ts'
import { onWallClock, zoneOption } from './wall-clock.ts'

export function deliveriesCommand(context: CommandContext): Command {
  return new Command('deliveries')
    .description('The ledger: one row for every event and subscription that match')
    .addCommand(deliveriesListCommand(context))
    .addCommand(deliveriesRetryCommand(context))
}

interface ListOptions extends JsonOptions {
  readonly config: string
  readonly undelivered?: true
  readonly subscription?: string
  readonly account?: string
  readonly state?: DeliveryState
  readonly since?: string
  readonly limit?: string
}

export function deliveriesListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('Rows of the ledger, newest last; with --undelivered the exit code is 1 when there are any')
    .addOption(configOption())
    .addOption(
      new Option(
        '--undelivered',
        'only pending, held and exhausted rows, but for what waits for the hour of a digest or the end of quiet hours',
      ).conflicts('state'),
    )
    .addOption(new Option('--state <state>', 'only rows in this state').choices(DELIVERY_STATES))
    .option('--subscription <name>', 'only of this subscription')
    .option('--account <name>', 'only of events of this account')
    .option('--since <time>', 'only of events since an ISO date-time, a date, or a duration ago (24h)')
    .option('--limit <n>', 'at most the newest n (50; with --json all)')
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(onWallClock(context, async (options: ListOptions) => await list(context, options)))
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const limit = rowLimit(options)
  const now = context.clock.now()
  const json = jsonOutput(context, options)
  const query = queryOf(options, now)
  await using store = await openConfiguredStore(options.config, context, 'read')
  if (options.subscription !== undefined) await requireEndpoint(store, options.subscription)
  if (options.account !== undefined) await assertAccountKnown(store, options.account, now)
  const read = async (page: PageQuery) => await store.deliveryPage({ ...query, ...page })
  let shown = 0
  const render = (delivery: Delivery) => {
    shown += 1
    return deliveryJson(delivery)
  }
  if (json !== null) await json.list(await dataRows(read, limit), render)
  else shown = writeRows(context, await newestRows(read, limit), { limit, options })
  if (options.undelivered === true && shown > 0) context.setExitCode(1)
}

function queryOf({ account, since, state, subscription, undelivered }: ListOptions, now: number) {
  return {
    ...(subscription !== undefined && { subscription }),
    ...(account !== undefined && { account }),
    ...(state !== undefined && { states: [state] }),
    ...(undelivered === true && { undelivered: { now } }),
    ...pointInTime(since, now),
  }
}

/** Returns how many. */
function writeRows(
  context: CommandContext,
  deliveries: readonly Delivery[],
  { limit, options }: { readonly limit: number; readonly options: ListOptions },
): number {
  if (deliveries.length > 0) writeDeliveries(context, deliveries)
  else context.stdout.write(options.undelivered === true ? 'Nothing undelivered.\n' : 'No deliveries.\n')
  if (deliveries.length === limit) context.stderr.write(`The newest ${limit}; --limit N shows more.\n`)
  return deliveries.length
}
