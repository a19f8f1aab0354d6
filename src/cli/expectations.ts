import { Command } from 'commander'
import { loadConfig, requireConfig } from '../config/load-config.ts'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { standings, withInstantsOfToday } from '../operate/standing-expectations.ts'
import { tryExpectation } from '../operate/try-expectation.ts'
import { standingJson, wouldRingJson, type StandingExpectation } from '../report/expectation.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption, parsePointInTime, rowLimit } from './options.ts'
import { assertAccountKnown } from './require-named.ts'
import { writeTable, type Cell } from './table.ts'
import { painter } from './terminal.ts'
import { onWallClock, shortTime, wallTime, zoneOption } from './wall-clock.ts'

interface ListOptions extends JsonOptions {
  readonly config: string
  readonly account?: string
  readonly limit?: string
}

interface TestOptions extends JsonOptions {
  readonly config: string
  readonly since: string
}

const STANDING = [
  { title: 'NAME' },
  { title: 'ACCOUNT' },
  { title: 'SUBJECT' },
  { title: 'BY' },
  { title: 'STATE' },
] as const
const RUNG = [{ title: 'AT' }, { title: 'TYPE' }, { title: 'ACCOUNT' }, { title: 'SUBJECT' }, { title: 'BY' }] as const

export function expectationsCommand(context: CommandContext): Command {
  return new Command('expectations')
    .description('What is expected of records by when: where it stands, and what a rule would have rung')
    .addCommand(listCommand(context))
    .addCommand(testCommand(context))
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('Where every expectation of every record stands')
    .addOption(configOption())
    .option('--account <name>', 'only of this account')
    .option('--limit <n>', 'at most n (50; with --json all)')
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(onWallClock(context, async (options: ListOptions) => await list(context, options)))
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const { account, config } = options
  const json = jsonOutput(context, options)
  const limit = rowLimit(options)
  const now = context.clock.now()
  await using store = await openConfiguredStore(config, context, 'read')
  const { items, more } = await standings(store, { now, limit, ...(account !== undefined && { account }) })
  if (items.length === 0 && account !== undefined) await assertAccountKnown(store, account, now)
  const known = loadConfig(config, { ...context, withoutSecrets: true, withoutWarnings: true }).config
  const standing = await withInstantsOfToday(store, known?.accounts ?? [], items)
  if (json !== null) return await json.list(standing, standingJson)
  if (standing.length === 0) context.stdout.write('Nothing is expected.\n')
  else writeTable(STANDING, standing.map(standingCells), { stream: context.stdout, paint: painter(context) })
  if (more) context.stderr.write(`The first ${items.length}; --limit N shows more.\n`)
}

function standingCells({ account, by, name, state, subject }: StandingExpectation): readonly Cell[] {
  const shown = state === 'missed' ? ({ text: state, style: 'yellow' } as const) : state
  return [name, account, `${subject.resource} ${subject.id}`, by === null ? '–' : shortTime(by), shown]
}

function testCommand(context: CommandContext): Command {
  return new Command('test')
    .description('What a rule would have rung, tried on what is stored; rings nothing')
    .argument('<name>', 'the expectation')
    .addOption(configOption())
    .option('--since <time>', 'from an ISO date-time, a date, or a duration ago', '30d')
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(
      onWallClock(context, async (name: string, options: TestOptions) => {
        const json = jsonOutput(context, options)
        const now = context.clock.now()
        const config = requireConfig(options.config, context)
        const since = parsePointInTime(options.since, now)
        await using store = await openConfiguredStore(options.config, context, 'read')
        const rung = await tryExpectation(store, config, { name, since, now })
        if (json !== null) return await json.list(rung, wouldRingJson)
        const rows = rung.map(({ account, at, by, subject, type }): readonly Cell[] => [
          shortTime(at),
          type,
          account,
          `${subject.resource} ${subject.id}`,
          shortTime(by),
        ])
        if (rows.length === 0) context.stdout.write(`It would have rung nothing since ${wallTime(since)}.\n`)
        else writeTable(RUNG, rows, { stream: context.stdout, paint: painter(context) })
      }),
    )
}
