import { Command } from 'commander'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { slipJson } from '../report/record.ts'
import { roughDuration } from '../report/delay.ts'
import type { Slip } from '../store/ports/record-query-port.ts'
import type { CommandContext } from './command-context.ts'
import { fitted } from './fitted.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { firstItems, configOption, parsePointInTime, rowLimit } from './options.ts'
import { assertAccountKnown } from './require-named.ts'
import { writeTable, type Cell } from './table.ts'
import { painter } from './terminal.ts'
import { onWallClock, shortTime, zoneOption } from './wall-clock.ts'

interface Options extends JsonOptions {
  readonly config: string
  readonly since: string
  readonly account?: string
  readonly limit?: string
}

const COLUMNS = [
  { title: 'ACCOUNT' },
  { title: 'SHIPMENT' },
  { title: 'DATE' },
  { title: 'FIRST' },
  { title: 'NOW' },
  { title: 'DRIFT', align: 'right' },
  { title: 'VALUES', align: 'right' },
] as const

const MINUTE_MS = 60_000

export function shipmentsSlippedCommand(context: CommandContext): Command {
  return new Command('slipped')
    .description('Dates that moved, the furthest from their first value first, later or earlier')
    .addOption(configOption())
    .option('--since <time>', 'moved since an ISO date-time, a date, or a duration ago', '7d')
    .option('--account <name>', 'only of this account')
    .option('--limit <n>', 'at most n (50; with --json all)')
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(onWallClock(context, async (options: Options) => await slipped(context, options)))
}

async function slipped(context: CommandContext, options: Options): Promise<void> {
  const { account, config } = options
  const json = jsonOutput(context, options)
  const limit = rowLimit(options)
  const now = context.clock.now()
  const query = { since: parsePointInTime(options.since, now), ...(account !== undefined && { account }) }
  await using store = await openConfiguredStore(config, context, 'read')
  const { items, more } = await firstItems((page) => store.slips({ ...query, ...page }), limit)
  if (items.length === 0 && account !== undefined) await assertAccountKnown(store, account, now)
  if (json !== null) return await json.list(items, slipJson)
  if (items.length === 0) context.stdout.write('No date moved.\n')
  else {
    const rows = fitted(items.map(cells), COLUMNS, { shrinks: [0, 1] })
    writeTable(COLUMNS, rows, { stream: context.stdout, paint: painter(context) })
  }
  if (more) context.stderr.write(`The first ${items.length}; --limit N shows more.\n`)
}

function cells({ account, driftMinutes, first, milestone, now, revisions, shipment }: Slip): readonly Cell[] {
  const drift = `${sign(driftMinutes)}${roughDuration(Math.abs(driftMinutes) * MINUTE_MS)}`
  const style = driftMinutes > 0 ? 'red' : 'green'
  return [account, shipment, milestone, day(first), day(now), { text: drift, style }, String(revisions)]
}

function sign(minutes: number): string {
  if (minutes === 0) return ''
  return minutes > 0 ? '+' : '-'
}

function day(at: number): string {
  return shortTime(at).slice(0, 10)
}
