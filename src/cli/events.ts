import { Command } from 'commander'
import { openConfiguredStore } from '../app/configured-store.ts'
import { ShipbellError } from '../errors.ts'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import { typesLike } from '../model/types-like.ts'
import { loggedPayload } from '../model/payload.ts'
import type { CommandContext } from './command-context.ts'
import { eventLine } from './event-line.ts'
import { eventsShowCommand } from './events-show.ts'
import { writeJson, writeJsonList, type JsonOption } from './json-output.ts'
import { configOption, pointInTime, rowLimit } from './options.ts'
import { assertAccountKnown } from './require-named.ts'
import { writeTable } from './table.ts'
import { painter } from './terminal.ts'

export function eventsCommand(context: CommandContext): Command {
  return new Command('events')
    .description('The event log and the catalogue of event types')
    .addCommand(eventsListCommand(context))
    .addCommand(eventsShowCommand(context))
    .addCommand(eventsTypesCommand(context))
}

interface ListOptions extends JsonOption {
  readonly config: string
  readonly type?: string
  readonly account?: string
  readonly subject?: string
  readonly since?: string
  readonly limit?: string
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
    .option('--json', 'one JSON document: the payloads')
    .action(async (options: ListOptions) => await list(context, options))
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const { type, account, subject: subjectId, since } = options
  const limit = rowLimit(options)
  const filter = {
    ...(type !== undefined && { types: typesOf(type) }),
    ...(account !== undefined && { account }),
    ...(subjectId !== undefined && { subjectId }),
    ...pointInTime(since, context.clock.now()),
    limit,
  }
  await using store = openConfiguredStore(options.config, context, 'read')
  const events = await store.events(filter)
  if (events.length === 0 && account !== undefined) await assertAccountKnown(store, account, context.clock.now())
  const oldestFirst = events.toReversed()
  if (options.json === true) return writeJsonList(context, oldestFirst, loggedPayload)
  if (events.length === limit) context.stderr.write(`The newest ${limit}; --limit N shows more.\n`)
  if (events.length === 0) context.stdout.write('No events.\n')
  const paint = painter(context)
  for (const event of oldestFirst)
    context.stdout.write(
      `${eventLine(loggedPayload(event), paint)}${event.expiredAt === null ? '' : '  (payload expired)'}\n`,
    )
}

function typesOf(glob: string): readonly string[] {
  const types = typesLike(glob)
  if (types.length > 0) return types
  throw new ShipbellError(
    'usage',
    `--type ${JSON.stringify(glob)} names no event type: \`shipbell events types\` lists them.`,
  )
}

export function eventsTypesCommand(context: CommandContext): Command {
  return new Command('types')
    .description('Every event type: what a subscription can name, and when it rings')
    .addOption(configOption())
    .option('--json', 'one JSON document')
    .action(({ json }: JsonOption) => {
      if (json === true) return writeJson(context, EVENT_CATALOGUE)
      const rows = EVENT_CATALOGUE.map(({ type, family, when }) => [type, family, when])
      writeTable([{ title: 'TYPE' }, { title: 'FAMILY' }, { title: 'WHEN' }], rows, {
        stream: context.stdout,
        paint: painter(context),
      })
    })
}
