import { Command, Option } from 'commander'
import { ShipbellError } from '../errors.ts'
import { compareFiles } from '../operate/diff/compare-files.ts'
import { compareLog } from '../operate/diff/compare-log.ts'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import type { CommandContext } from './command-context.ts'
import { differenceMarkdown } from './diff-markdown.ts'
import { differenceItems, writeDifferences } from './diff-json.ts'
import { type ComparedConfigurations, differs, untriedLines, writeDifference } from './write-diff.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { pointInTime } from './options.ts'
import { onWallClock, zoneOption } from './wall-clock.ts'

interface DiffOptions extends JsonOptions {
  readonly config: string
  readonly since?: string
  readonly markdown?: true
  readonly atMost?: string
}

export function diffCommand(context: CommandContext): Command {
  return new Command('diff')
    .description('Say what subscriptions would have been sent less, more or differently under another configuration')
    .argument('<old>', 'the configuration as it is')
    .argument('<new>', 'the configuration as it is to be')
    .addOption(new Option('-c, --config <file>', 'the configuration whose store is read; NEW by default'))
    .option('--since <time>', 'only what rang since a date-time, a date, or a duration ago (30d); all by default')
    .option('--markdown', 'as Markdown of bounded length, for a comment on a pull request')
    .option('--at-most <n>', 'exit code 1 where a subscription of NEW gets more messages a day, else 0')
    .addOption(jsonOption('one JSON document: the subscriptions, each with the ids of the events that differ'))
    .addOption(templateOption())
    .addOption(zoneOption())
    .hook('preAction', (command) => {
      if (command.opts<Partial<DiffOptions>>().config === undefined) command.setOptionValue('config', command.args[1])
    })
    .action(
      onWallClock(context, async (old: string, other: string, options: DiffOptions) => {
        const most = mostADay(options)
        if (options.markdown === true && (options.json !== undefined || options.template !== undefined))
          throw new ShipbellError('usage', '--markdown is for people, --json and --template for programs: choose one.')
        const compared = await compare(context, { old, new: other }, options)
        const isAsked = await write(context, compared, options)
        if (isAsked && compared.untried.length + compared.log.expired > 0)
          for (const line of untriedLines(compared)) context.stderr.write(`${line}\n`)
        context.setExitCode(most === null ? exitCodeOf(compared) : judgeAmount(context, compared, most))
      }),
    )
}

async function compare(
  context: CommandContext,
  files: ComparedConfigurations['files'],
  options: DiffOptions,
): Promise<ComparedConfigurations> {
  const { clock, signal } = context
  const { since = null } = pointInTime(options.since, clock.now())
  const { pairs, untried } = compareFiles(files.old, files.new, context)
  await using store = await openConfiguredStore(options.config, context, 'read')
  const log = await compareLog(store, pairs, {
    since,
    now: clock.now(),
    namesAll: options.json !== undefined || options.template !== undefined,
    goOn: async () => {
      await clock.sleep(0, signal)
      signal.throwIfAborted()
    },
  })
  return { files, untried, log }
}

/** Returns whether it was written for programs, who are told elsewhere of what was not tried. */
async function write(
  context: CommandContext,
  compared: ComparedConfigurations,
  options: DiffOptions,
): Promise<boolean> {
  const { subscriptions } = compared.log
  const json = jsonOutput(context, options)
  if (json === null) {
    if (options.markdown === true) context.stdout.write(differenceMarkdown(compared))
    else writeDifference(context, compared)
    return false
  }
  // Kept fields and templates look at whole items, of which each is made by itself.
  if (options.json === true && options.template === undefined) writeDifferences(context, subscriptions)
  else await json.list(differenceItems(subscriptions), (item) => item)
  return true
}

function exitCodeOf({ log }: ComparedConfigurations): 0 | 1 {
  return log.subscriptions.some(differs) ? 1 : 0
}

function judgeAmount(context: CommandContext, { log }: ComparedConfigurations, most: number): 0 | 1 {
  const tooMany = log.subscriptions.filter(({ isIn, perDay }) => isIn.new && perDay.new > most)
  for (const { name, perDay } of tooMany)
    context.stderr.write(
      `${name} would get ${roundedUp(perDay.new)} message${roundedUp(perDay.new) === 1 ? '' : 's'} a day: more than ${most}.\n`,
    )
  return tooMany.length > 0 ? 1 : 0
}

/** A figure that is above a bound is not shown as the bound. */
function roundedUp(amount: number): number {
  return Math.ceil(amount * 100) / 100
}

function mostADay({ atMost }: DiffOptions): number | null {
  if (atMost === undefined) return null
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(atMost)) return Number(atMost)
  throw new ShipbellError(
    'usage',
    `--at-most ${JSON.stringify(atMost)} is not a number of messages a day: give one from 0, such as 50.`,
  )
}
