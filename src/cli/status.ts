import { Command } from 'commander'
import { ShipbellError } from '../errors.ts'
import { roughDuration } from '../report/delay.ts'
import { runningForMs, statusJson, type Status } from '../report/status.ts'
import { writeAccounts } from './account-status.ts'
import { writeAudits } from './audit-status.ts'
import { asInvoked, type CommandContext } from './command-context.ts'
import { writeEndpointNotes, writeEndpoints, writeSnapshotNotes } from './endpoint-status.ts'
import { writeFreshness } from './freshness-status.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption } from './options.ts'
import { statusOf, type StatusOptions } from './status-report.ts'
import { writeWorkers } from './worker-status.ts'
import { CLEAR_SCREEN, painter, terminalText } from './terminal.ts'
import { wrapped } from './wrapped.ts'
import { onWallClock, withWallTimes, zoneOption } from './wall-clock.ts'

interface Options extends JsonOptions, StatusOptions {
  readonly watch?: true
}

const REDRAW_EVERY_MS = 2_000

export function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .description(
      'Whether a daemon runs and what needs a person (exit code 1 then); accounts and their freshness, subscriptions and their backlog',
    )
    .addOption(configOption())
    .option('--account <name>', 'only this account')
    .option('--watch', 'draw it again every 2 s, until Ctrl-C')
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(
      onWallClock(context, async (options: Options) => {
        if (options.watch === true) return await watch(context, options)
        const json = jsonOutput(context, options)
        const status = await statusOf(context, options)
        if (json !== null) json.document(statusJson(pastable(status, context)))
        else writeStatus(context, status)
        context.setExitCode(exitCodeOf(status))
      }),
    )
}

/** What to do, as this process was started: a program shows it to people. */
function pastable(status: Status, context: CommandContext): Status {
  return { ...status, needs: status.needs.map((need) => ({ ...need, remedy: asInvoked(need.remedy, context) })) }
}

function exitCodeOf({ needs }: Status): 0 | 1 {
  return needs.some(({ urgent }) => urgent) ? 1 : 0
}

/** Draws until the command is interrupted or nobody reads on. Ends with the exit code of what was drawn last. */
async function watch(context: CommandContext, options: Options): Promise<void> {
  if (options.json !== undefined || options.template !== undefined) {
    throw new ShipbellError(
      'usage',
      '`--watch` draws for people: leave out `--json` and `--template`, or ask again and again.',
    )
  }
  const { clock, signal, stdout } = context
  const isTerminal = stdout.isTTY === true
  while (!signal.aborted && stdout.writable !== false) {
    const status = await statusOf(context, options)
    let text = isTerminal ? CLEAR_SCREEN : ''
    writeStatus({ ...context, stdout: { ...stdout, isTTY: isTerminal, write: (more) => (text += more) } }, status)
    stdout.write(text)
    context.setExitCode(exitCodeOf(status))
    await clock.sleep(REDRAW_EVERY_MS, signal)
  }
}

function writeStatus(context: CommandContext, status: Status): void {
  const { endpoints, needs, runs, waiting, workers } = status
  const { stdout } = context
  writeDaemon(context, status)
  writeNeeds(context, status)
  stdout.write('\n')
  writeWorkers(context, workers)
  writeAccounts(context, status)
  writeFreshness(context, status.fresh)
  writeAudits(context, status.audits)
  stdout.write('\n')
  writeEndpoints(context, endpoints)
  if (waiting > 0)
    stdout.write(`${waiting} of the pending rows only wait for the hour of their digest or quiet's end.\n`)
  const told = new Set(needs.map(({ subscription }) => subscription))
  writeEndpointNotes(
    context,
    endpoints.filter(({ subscription }) => !told.has(subscription)),
  )
  writeSnapshotNotes(context, runs)
}

function writeDaemon(context: CommandContext, { daemon, needs, now, workers }: Status): void {
  const paint = painter(context)
  const { columns } = context.stdout
  if (daemon === null) {
    const isNeeded = needs.some(({ kind }) => kind === 'no_daemon')
    const remedy = isNeeded ? '' : asInvoked(' Start it with `shipbell run`.', context)
    context.stdout.write(`${paint('yellow', 'No daemon runs.')}${remedy}\n`)
    return
  }
  const ms = runningForMs(daemon, now)
  const age = ms === null ? '' : ` (${roughDuration(ms, Math.floor)})`
  const one = daemon.command === 'run' ? 'The daemon runs' : `\`shipbell ${daemon.command}\` runs`
  const what = workers.length > 1 ? `${workers.length} workers run. The first` : one
  const line = `${what}: process ${daemon.pid} on ${daemon.host} since ${daemon.since}${age}.`
  context.stdout.write(paint('green', wrapped(asInvoked(terminalText(withWallTimes(line)), context), { columns })))
}

/** What waits for a person, each with its remedy. */
function writeNeeds(context: CommandContext, { needs }: Status): void {
  const { stdout } = context
  if (needs.length === 0) return
  const paint = painter(context)
  const { columns } = stdout
  stdout.write('Needs a person:\n')
  for (const { remedy, urgent, what } of needs) {
    stdout.write(
      paint(urgent ? 'red' : 'yellow', wrapped(terminalText(withWallTimes(what)), { columns, indent: '  ' })),
    )
    const said = asInvoked(terminalText(remedy, Number.POSITIVE_INFINITY), context)
    stdout.write(wrapped(said, { columns, indent: '    ' }))
  }
}
