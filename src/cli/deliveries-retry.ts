import { Command } from 'commander'
import { letOthersWrite, openConfiguredStore } from '../operate/open-configured-store.ts'
import { probedWords } from '../report/retry-notes.ts'
import { pulledNames } from '../operate/require-endpoint.ts'
import type { EndpointOverview } from '../store/ports/query-port.ts'
import type { Store } from '../store/ports/store.ts'
import { sendRows } from '../app/send-rows.ts'
import { ShipbellError } from '../errors.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOption, templateOption, type JsonOptions } from './json-output.ts'
import { configOption, parsePointInTime } from './options.ts'
import { progressLine } from './progress-line.ts'
import { findEvent } from './require-event.ts'
import { assertKnownToDaemon, requireEndpoint, requireSubscription } from './require-named.ts'
import {
  makeMissing,
  retryRows,
  rowsMissing,
  rowsNamed,
  rowsUndelivered,
  type RetryRows,
} from '../operate/retry-choice.ts'
import { writeChoice, writeSent } from './retry-report.ts'
import { onWallClock, zoneOption } from './wall-clock.ts'

interface RetryOptions extends JsonOptions {
  readonly config: string
  readonly account?: string
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
    .argument('[id...]', 'deliveries (dlv_…), or events (evt_…, the beginning of it, or #SEQUENCE: all their rows)')
    .addOption(configOption())
    .option('--subscription <name>', 'rows of this subscription that were not delivered; needs --since')
    .option('--since <time>', 'an ISO date-time, a date, or a duration ago (24h)')
    .option(
      '--missing',
      'also create rows for matching events that have none: a new subscription gets what rang before it',
    )
    .option('--dry-run', 'only show what would be sent')
    .option('--account <name>', 'the account of the events that are named')
    .addOption(jsonOption('one JSON document: the rows'))
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(
      onWallClock(context, async (ids: readonly string[], options: RetryOptions) => await retry(context, ids, options)),
    )
}

async function retry(context: CommandContext, ids: readonly string[], options: RetryOptions): Promise<void> {
  const which = await selection(context, ids, options)
  if (options.dryRun === true) {
    await using store = await openConfiguredStore(options.config, context, 'read')
    return await writeChoice(context, await chosen(store, which), options)
  }
  let expired = 0
  let endpoints: readonly EndpointOverview[] = []
  const progress = progressLine(context)
  const sent = await sendRows({
    file: options.config,
    surroundings: context,
    command: 'deliveries retry',
    onProgress: progress.show,
    prepare: async (store, daemon) => {
      const made = await makePending(store, which, { context, daemon })
      expired = made.expired
      endpoints = await store.endpoints()
      return made.ids
    },
  }).finally(progress.end)
  const pulled = pulledNames(endpoints)
  const inFeeds = sent.filter(({ state, subscription }) => state === 'pending' && pulled.has(subscription))
  await writeSent(context, { sent, expired, inFeeds: inFeeds.length, endpoints }, options)
  const arrived = sent.filter(({ state }) => state === 'delivered').length
  if (expired > 0 || arrived + inFeeds.length < sent.length) context.setExitCode(1)
}

/** Which rows a command line names. */
type Selection =
  | { readonly by: 'id'; readonly names: readonly string[]; readonly account: string | undefined }
  | { readonly by: 'time'; readonly subscription: string; readonly since: number }
  | { readonly by: 'log'; readonly subscription: ReturnType<typeof requireSubscription>; readonly since: number }

async function selection(context: CommandContext, ids: readonly string[], options: RetryOptions): Promise<Selection> {
  const { account, missing, since, subscription } = options
  const some = subscription !== undefined || since !== undefined || missing === true
  if (ids.length > 0 && !some) return { by: 'id', names: ids, account }
  if (ids.length > 0 || subscription === undefined || since === undefined) {
    throw new ShipbellError(
      'usage',
      'Name what to retry: `deliveries retry ID…`, or `deliveries retry --subscription S --since T [--missing]`.',
    )
  }
  const from = parsePointInTime(since, context.clock.now())
  if (missing !== true) return { by: 'time', subscription, since: from }
  const { requireWholeConfig } = await import('../operate/runtime/whole-config.ts')
  const config = await requireWholeConfig(options.config, context)
  return { by: 'log', subscription: requireSubscription(config, subscription), since: from }
}

async function chosen(store: Store, which: Selection): Promise<RetryRows> {
  switch (which.by) {
    case 'id':
      return await rowsNamed(store, await idsOf(store, which))
    case 'time':
      await requireEndpoint(store, which.subscription)
      return await rowsUndelivered(store, which.subscription, which.since)
    case 'log':
      return await rowsMissing(store, which.subscription, which.since)
    default:
      return which satisfies never
  }
}

/** A delivery's id is taken as it is. What names no event is for `rowsNamed` to refuse. */
async function idsOf(
  store: Store,
  { account, names }: Extract<Selection, { readonly by: 'id' }>,
): Promise<readonly string[]> {
  return await Promise.all(
    names.map(async (name) => (name.startsWith('dlv_') ? name : ((await findEvent(store, { name, account })) ?? name))),
  )
}

async function makePending(
  store: Store,
  which: Selection,
  { context, daemon }: { readonly context: CommandContext; readonly daemon: boolean },
): Promise<{ readonly ids: readonly string[]; readonly expired: number }> {
  const how = { at: context.clock.now(), pause: async () => await letOthersWrite(context) }
  if (which.by === 'log') {
    if (daemon) await assertKnownToDaemon(store, which.subscription.name)
    const made = await makeMissing(store, which.subscription, { ...how, since: which.since })
    await sayProbed(store, [which.subscription.name], { context, daemon })
    return made
  }
  const { rows, expired } = await chosen(store, which)
  const ids = rows.map(({ id }) => id).filter((id) => id !== null)
  await retryRows(store, ids, { ...how, delivered: which.by === 'id' })
  await sayProbed(
    store,
    rows.map(({ subscription }) => subscription),
    { context, daemon },
  )
  return { ids, expired }
}

/** Endpoints that fail with much waiting are tried with one event at a time: this is what the daemon does now. */
async function sayProbed(
  store: Store,
  names: readonly string[],
  { context, daemon }: { readonly context: CommandContext; readonly daemon: boolean },
): Promise<void> {
  const { clock, stderr } = context
  if (!daemon) return
  const { askProbes } = await import('../operate/asked-probes.ts')
  for (const failing of await askProbes({ store, clock }, names)) stderr.write(`${probedWords(failing)}\n`)
}
