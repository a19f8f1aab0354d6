import { Command } from 'commander'
import { assertSendable, openConfiguredStore, sendPending, type Store } from '../app.ts'
import { ShipbellError } from '../errors.ts'
import type { Delivery, DeliveryState } from '../model/delivery.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './config-option.ts'
import { deliveryJson } from './delivery-json.ts'
import { writeDeliveries } from './delivery-table.ts'
import { writeJson, type JsonOption } from './json-output.ts'
import { parsePointInTime } from './point-in-time.ts'
import { requireEndpoint } from './require-endpoint.ts'

const NOT_DELIVERED = ['pending', 'exhausted', 'held', 'discarded'] as const satisfies readonly DeliveryState[]
const EVERY_ROW = 2 ** 31 - 1

interface RetryOptions extends JsonOption {
  readonly config: string
  readonly subscription?: string
  readonly since?: string
  readonly missing?: true
  readonly dryRun?: true
}

export function deliveriesRetryCommand(context: CommandContext): Command {
  return new Command('retry')
    .description(
      'Send again: rows by ID (delivered ones too), or what a subscription did not get since a time; exit code 1 unless all arrive',
    )
    .argument('[id...]', 'deliveries (dlv_…), or events (evt_…: all their rows)')
    .addOption(configOption())
    .option('--subscription <name>', 'rows of this subscription that were not delivered; needs --since')
    .option('--since <time>', 'an ISO date-time, a date, or a duration ago (24h)')
    .option('--missing', 'also create rows for matching events that have none')
    .option('--dry-run', 'only show what would be sent')
    .option('--json', 'one JSON document: the rows')
    .action(async (ids: readonly string[], options: RetryOptions) => await retry(context, ids, options))
}

async function retry(context: CommandContext, ids: readonly string[], options: RetryOptions): Promise<void> {
  assertUsage(ids, options)
  if (options.dryRun === true) {
    await using store = openConfiguredStore(options.config, context, 'read')
    return show(context, await chosen({ context, store }, ids, options), options)
  }
  assertSendable(options.config, context)
  const rows = await makePending(context, ids, options)
  const sent = rows.length === 0 ? [] : await sendPending(options.config, context, rows)
  show(context, sent, options)
  if (sent.some(({ state }) => state !== 'delivered')) context.setExitCode(1)
  for (const name of new Set(sent.filter(({ state }) => state === 'held').map(({ subscription }) => subscription))) {
    context.stderr.write(`${name} is disabled: \`shipbell subscriptions enable ${name}\` releases what is held.\n`)
  }
}

async function makePending(
  context: CommandContext,
  ids: readonly string[],
  options: RetryOptions,
): Promise<readonly string[]> {
  await using store = openConfiguredStore(options.config, context, 'write')
  const rows = (await chosen({ context, store }, ids, options)).map(({ id }) => id)
  await store.retry(rows, { at: context.clock.now(), delivered: ids.length > 0 })
  return rows
}

/** Oldest event first. */
async function chosen(
  { context, store }: { readonly context: CommandContext; readonly store: Store },
  ids: readonly string[],
  { subscription = '', since = '' }: RetryOptions,
): Promise<readonly Delivery[]> {
  if (ids.length > 0) {
    const rows = (await Promise.all(ids.map(async (id) => await rowsOf(store, id)))).flat()
    return [...new Map(rows.map((row) => [row.id, row])).values()]
  }
  await requireEndpoint(store, subscription)
  const from = parsePointInTime(since, context.clock.now())
  const rows = await store.deliveries({ subscription, states: NOT_DELIVERED, since: from, limit: EVERY_ROW })
  return rows.toReversed()
}

async function rowsOf(store: Store, id: string): Promise<readonly Delivery[]> {
  const rows = await store.deliveries({ id, limit: EVERY_ROW })
  if (rows.length > 0) return rows.toReversed()
  const why =
    (await store.event(id)) === null ? 'there is no delivery or event of that ID' : 'no subscription matched that event'
  throw new ShipbellError(
    'not_found',
    `Cannot retry ${JSON.stringify(id)}: ${why}; \`shipbell deliveries list\` shows the rows.`,
  )
}

function show(context: CommandContext, rows: readonly Delivery[], { json, dryRun }: RetryOptions): void {
  if (json === true) return writeJson(context, rows.map(deliveryJson))
  if (rows.length === 0) context.stdout.write('Nothing to retry.\n')
  else {
    if (dryRun === true) context.stdout.write(`Would send ${rows.length}:\n`)
    writeDeliveries(context, rows)
  }
}

function assertUsage(ids: readonly string[], { subscription, since, missing }: RetryOptions): void {
  if (missing === true)
    throw new ShipbellError('usage', '`deliveries retry --missing` is not built yet: retry without it.')
  const byTime = subscription !== undefined && since !== undefined
  const some = subscription !== undefined || since !== undefined
  if (ids.length > 0 ? some : !byTime) {
    throw new ShipbellError(
      'usage',
      'Name what to retry: `deliveries retry ID…`, or `deliveries retry --subscription S --since T`.',
    )
  }
}
