import { Command } from 'commander'
import { ShipbellError } from '../errors.ts'
import { eventTypeInfo } from '../model/event-catalogue.ts'
import { EXCEPTION_TYPES } from '../model/exception-types.ts'
import type { KeptException } from '../model/exception.ts'
import { exceptionState, LONGEST_NOTE } from '../model/exception.ts'
import { readPointAhead } from '../model/point-in-time.ts'
import { acknowledge, type Said } from '../operate/acknowledge.ts'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { exceptionJson } from '../report/exception.ts'
import type { ExceptionStore } from '../store/ports/exception-port.ts'
import type { CommandContext } from './command-context.ts'
import { fitted } from './fitted.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { configOption, firstItems, rowLimit } from './options.ts'
import { assertAccountKnown } from './require-named.ts'
import { writeTable, type Cell } from './table.ts'
import { painter } from './terminal.ts'
import { onWallClock, shortTime, wallTime, wallZone, zoneOption } from './wall-clock.ts'

interface ListOptions extends JsonOptions {
  readonly config: string
  readonly account?: string
  readonly type?: string
  readonly all?: true
  readonly limit?: string
}

interface AckOptions extends JsonOptions {
  readonly config: string
  readonly note?: string
  readonly until?: string
}

const COLUMNS = [
  { title: 'ID' },
  { title: 'ACCOUNT' },
  { title: 'TYPE' },
  { title: 'SUBJECT' },
  { title: 'ABOUT' },
  { title: 'OPENED' },
  { title: 'STATE' },
] as const
const SHRINKS = [3, 2, 4, 1]
/** How many characters of an id are shown: they tell it from others. */
const SHOWN_ID = 12
const ID = 'its id, or the beginning of it'
/** Enough to see how they differ. */
const SHOWN = 5

export function exceptionsCommand(context: CommandContext): Command {
  return new Command('exceptions')
    .description('What is not well and still open: list it, and say who sees to it')
    .addCommand(listCommand(context))
    .addCommand(ackCommand(context))
    .addCommand(reopenCommand(context))
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('Open and acknowledged exceptions, the newest first')
    .addOption(configOption())
    .option('--account <name>', 'only of this account')
    .option('--type <type>', 'only opened by this type of event: invoice.overdue')
    .option('--all', 'closed ones, too')
    .option('--limit <n>', 'at most n (50; with --json all)')
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(onWallClock(context, async (options: ListOptions) => await list(context, options)))
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const { account, all, config, type } = options
  if (type !== undefined) assertEventType(type)
  const json = jsonOutput(context, options)
  const limit = rowLimit(options)
  const now = context.clock.now()
  await using store = await openConfiguredStore(config, context, 'read')
  const query = {
    now,
    ...(account !== undefined && { account }),
    ...(type !== undefined && { type }),
    ...(all !== true && { states: ['open', 'acknowledged'] as const }),
  }
  const { items, more } = await firstItems((page) => store.exceptionPage({ ...query, ...page }), limit)
  if (items.length === 0 && account !== undefined) await assertAccountKnown(store, account, now)
  if (json !== null) return await json.list(items, (each) => exceptionJson(each, now))
  if (items.length === 0) context.stdout.write(all === true ? 'No exceptions.\n' : 'Nothing is open.\n')
  else {
    const rows = fitted(
      items.map((each) => cells(each, now)),
      COLUMNS,
      { shrinks: SHRINKS },
    )
    writeTable(COLUMNS, rows, { stream: context.stdout, paint: painter(context) })
  }
  if (more) context.stderr.write(`The first ${items.length}; --limit N shows more.\n`)
}

/** A type that is misspelt must not read as though nothing were open. */
function assertEventType(type: string): void {
  if (eventTypeInfo(type) !== undefined) return
  const opening = Object.keys(EXCEPTION_TYPES).join(', ')
  throw new ShipbellError(
    'usage',
    `--type ${JSON.stringify(type)} names no event type: those that open exceptions are ${opening}.`,
  )
}

function cells(each: KeptException, now: number): readonly Cell[] {
  const { account, expectation, id, milestone, openedAt, subjectId, type } = each
  const about = milestone === '' ? expectation : milestone
  return [id.slice(0, SHOWN_ID), account, type, subjectId, about || '–', shortTime(openedAt), stateCell(each, now)]
}

function stateCell(each: KeptException, now: number): Cell {
  const state = exceptionState(each, now)
  if (state === 'closed') return { text: state, style: 'dim' }
  return state === 'open' ? { text: state, style: 'yellow' } : state
}

function ackCommand(context: CommandContext): Command {
  return new Command('ack')
    .description('Says that somebody sees to it: it is not reminded of')
    .argument('<id>', ID)
    .addOption(configOption())
    .option('--note <text>', 'what is done about it')
    .option('--until <time>', 'only until an ISO date-time, a date, or a duration from now (2d)')
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(
      onWallClock(context, async (name: string, options: AckOptions) => {
        const until = untilOf(options.until, context.clock.now())
        await say(context, { name, options, said: { by: 'cli', note: noteOf(options.note), until } })
      }),
    )
}

function noteOf(note: string | undefined): string | null {
  if (note === undefined || note.length <= LONGEST_NOTE) return note ?? null
  throw new ShipbellError('usage', `--note has ${note.length} characters: at most ${LONGEST_NOTE} are kept.`)
}

function reopenCommand(context: CommandContext): Command {
  return new Command('reopen')
    .description('Takes an acknowledgement back')
    .argument('<id>', ID)
    .addOption(configOption())
    .addOption(jsonOption())
    .addOption(templateOption())
    .action(async (name: string, options: AckOptions) => await say(context, { name, options, said: null }))
}

interface Saying {
  readonly name: string
  readonly options: AckOptions
  readonly said: Said
}

async function say(context: CommandContext, { name, options, said }: Saying): Promise<void> {
  const json = jsonOutput(context, options)
  const { clock, stdout } = context
  await using store = await openConfiguredStore(options.config, context, 'write')
  const id = await requireException(store, name, clock.now())
  const exception = await acknowledge({ clock, store }, id, said)
  if (json !== null) return json.document(exceptionJson(exception, clock.now()))
  const until = said?.until ?? null
  const words = said === null ? 'is open again' : 'is acknowledged'
  stdout.write(`${id} ${words}${until === null ? '' : ` until ${wallTime(until)}`}.\n`)
}

/** Throws `not_found`, and `usage` where several are meant. */
async function requireException(store: ExceptionStore, name: string, now: number): Promise<string> {
  const { items } = await store.exceptionPage({ now, limit: SHOWN + 1, named: name })
  const [first, ...others] = items
  if (first === undefined || name === '')
    throw new ShipbellError(
      'not_found',
      `There is no exception ${JSON.stringify(name)}: \`shipbell exceptions list --all\` shows them.`,
    )
  if (others.length === 0) return first.id
  const ids = items.slice(0, SHOWN).map(({ id }) => id)
  const some = `${ids.join(', ')}${items.length > SHOWN ? ' …' : ''}`
  throw new ShipbellError('usage', `${JSON.stringify(name)} names several exceptions: ${some}; give more of its id.`)
}

/** Throws `usage`. */
function untilOf(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const until = readPointAhead(text, now, wallZone())
  if (until !== null && until > now) return until
  const problem = until === null ? 'is not a time' : 'is past'
  throw new ShipbellError(
    'usage',
    `--until ${JSON.stringify(text)} ${problem}: give an instant ahead, such as 2026-12-01T08:00:00Z, 2026-12-01 or 2d.`,
  )
}
