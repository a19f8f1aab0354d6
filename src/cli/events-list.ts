import { Command } from 'commander'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { ShipbellError } from '../errors.ts'
import type { PageQuery } from '../model/page.ts'
import { loggedPayload } from '../model/payload.ts'
import { typesLike } from '../model/types-like.ts'
import type { CommandContext } from './command-context.ts'
import { loggedLine } from './event-line.ts'
import { followEvents, type EventFilter } from './events-follow.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption, dataRows, newestRows, pointInTime, rowLimit } from './options.ts'
import { assertAccountKnown } from './require-named.ts'
import { painter } from './terminal.ts'
import { onWallClock, zoneOption } from './wall-clock.ts'

interface ListOptions extends JsonOptions {
  readonly config: string
  readonly type?: string
  readonly account?: string
  readonly subject?: string
  readonly since?: string
  readonly limit?: string
  readonly follow?: true
}

export function eventsListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('Events that rang, newest last')
    .addOption(configOption())
    .option('--type <glob>', 'only these types: shipment.departed, invoice.*, *.created')
    .option('--account <name>', 'only of this account')
    .option('--subject <id>', 'only about this shipment, invoice …')
    .option('--since <time>', 'only since an ISO date-time, a date, or a duration ago (24h)')
    .option('--limit <n>', 'at most the newest n (50; with --json all)')
    .option('--follow', 'new events as they ring, until Ctrl-C; with --since or --limit those first')
    .addOption(jsonOption('one JSON document: the payloads; with --follow one on each line'))
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(onWallClock(context, async (options: ListOptions) => await list(context, options)))
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const limit = rowLimit(options)
  const filter = filterOf(options, context.clock.now())
  const json = jsonOutput(context, options)
  await using store = await openConfiguredStore(options.config, context, 'read')
  if (filter.account !== undefined) await assertAccountKnown(store, filter.account, context.clock.now())
  const read = async (page: PageQuery) => await store.eventPage({ ...filter, ...page })
  if (options.follow === true) {
    const { lastPlace: place } = await store.logEnds()
    const isAsked = options.since !== undefined || options.limit !== undefined
    const before = isAsked ? await dataRows(read, limit) : []
    return await followEvents(context, { store, filter, place, before, json })
  }
  if (json !== null) return await json.list(await dataRows(read, limit), loggedPayload)
  const events = await newestRows(read, limit)
  if (events.length === limit) context.stderr.write(`The newest ${limit}; --limit N shows more.\n`)
  if (events.length === 0) context.stdout.write('No events.\n')
  const paint = painter(context)
  for (const event of events) context.stdout.write(`${loggedLine(event, paint)}\n`)
}

function filterOf({ account, since, subject: subjectId, type }: ListOptions, now: number): EventFilter {
  return {
    ...(type !== undefined && { types: typesOf(type) }),
    ...(account !== undefined && { account }),
    ...(subjectId !== undefined && { subjectId }),
    ...pointInTime(since, now),
  }
}

function typesOf(glob: string): readonly string[] {
  const types = typesLike(glob)
  if (types.length > 0) return types
  throw new ShipbellError(
    'usage',
    `--type ${JSON.stringify(glob)} names no event type: \`shipbell events types\` lists them.`,
  )
}
