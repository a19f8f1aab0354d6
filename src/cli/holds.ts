import { Command, Option } from 'commander'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { judgeHold } from '../operate/judge-hold.ts'
import type { Store } from '../store/ports/store.ts'
import { ShipbellError } from '../errors.ts'
import { HOLD_REASONS, type HeldList, type HoldReason, type HoldVerdict } from '../model/hold.ts'
import { RECORD_OF, type Watchable } from '../model/resource.ts'
import { holdJson } from '../report/hold.ts'
import { HELD_BECAUSE, judgedWords, VERDICTS } from '../report/hold-words.ts'
import { assertAccountKnown } from './require-named.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { painter } from './terminal.ts'
import { writeTable, type Cell } from './table.ts'
import { watchedAs } from '../model/resource.ts'
import { onWallClock, wallTime, zoneOption } from './wall-clock.ts'

interface Options {
  readonly config: string
}

interface ListNamed {
  readonly account: string
  readonly resource: Watchable
  readonly reason?: HoldReason
}

const COLUMNS = [
  { title: 'ACCOUNT' },
  { title: 'RESOURCE' },
  { title: 'REASON' },
  { title: 'KNOWN', align: 'right' },
  { title: 'MISSING', align: 'right' },
  { title: 'SINCE' },
  { title: 'STATE' },
  { title: 'FOR EXAMPLE' },
] as const

/** How many ids fit beside the rest; `--json` has more. */
const SHOWN_IDS = 3

export function holdsCommand(context: CommandContext): Command {
  return new Command('holds')
    .description('Removals that were not believed: accept or reject them')
    .addCommand(listCommand(context))
    .addCommand(judgeCommand(context, 'accept'))
    .addCommand(judgeCommand(context, 'reject'))
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('Every list whose removals are held')
    .addOption(configOption())
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(
      onWallClock(context, async ({ config, ...options }: Options & JsonOptions) => {
        const json = jsonOutput(context, options)
        await using store = await openConfiguredStore(config, context, 'read')
        const holds = await store.holds()
        if (json !== null) json.document(holds.map(holdJson))
        else writeHolds(context, holds)
      }),
    )
}

function judgeCommand(context: CommandContext, verdict: HoldVerdict): Command {
  return new Command(verdict)
    .description(VERDICTS[verdict])
    .addOption(configOption())
    .requiredOption('--account <name>', 'the account')
    .addOption(resourceOption())
    .addOption(new Option('--reason <reason>', 'which hold, where two are of the list').choices(HOLD_REASONS))
    .addOption(jsonOption())
    .addOption(templateOption())
    .action(async (options: Options & ListNamed & JsonOptions) => {
      const json = jsonOutput(context, options)
      await using store = await openConfiguredStore(options.config, context, 'write')
      const { account, reason, resource } = options
      const hold = await judgeHold({ ...context, store, account, reason, resource: RECORD_OF[resource], verdict })
      if (hold === null) throw await notHeld(store, options, context.clock.now())
      if (json !== null) json.document(holdJson(hold))
      else context.stdout.write(`${options.account} ${options.resource}: ${judgedWords(hold, verdict)}\n`)
    })
}

function resourceOption(): Option {
  return new Option('--resource <resource>', 'as under `watch`').choices(Object.keys(RECORD_OF)).makeOptionMandatory()
}

/** Throws `usage` where there is no such account at all. */
async function notHeld(store: Store, { account, resource }: ListNamed, now: number): Promise<ShipbellError> {
  const holds = await store.holds()
  await assertAccountKnown(store, account, now)
  const others = holds.map((hold) => `${hold.account} ${watchedAs(hold.resource)}`)
  const hint = others.length === 0 ? 'no removals are held at all.' : `held are: ${others.join(', ')}.`
  return new ShipbellError(
    'not_found',
    `No removals of ${resource} of account ${JSON.stringify(account)} are held; ${hint}`,
  )
}

function writeHolds(context: CommandContext, holds: readonly HeldList[]): void {
  if (holds.length === 0) context.stdout.write('No removals are held.\n')
  else writeTable(COLUMNS, holds.map(cells), { stream: context.stdout, paint: painter(context) })
}

function cells(hold: HeldList): readonly Cell[] {
  const shown = hold.sample.slice(0, SHOWN_IDS)
  return [
    hold.account,
    watchedAs(hold.resource),
    HELD_BECAUSE[hold.reason],
    String(hold.known),
    String(hold.missing),
    wallTime(hold.since),
    hold.verdict === 'accept' ? { text: 'accepted', style: 'green' } : { text: 'waits for a verdict', style: 'yellow' },
    `${shown.join(' ')}${hold.missing > shown.length ? ' …' : ''}`,
  ]
}
