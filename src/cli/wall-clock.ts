import { AsyncLocalStorage } from 'node:async_hooks'
import { Option, type Command } from 'commander'
import { loadWatched } from '../config/load-part.ts'
import { ShipbellError } from '../errors.ts'
import { formatInstant, parseInstant } from '../model/instant.ts'
import { commonZone, formatInZone, readTimeZone } from '../model/time-zone.ts'
import type { CommandContext } from './command-context.ts'

/** `--tz ZONE`, on every command that prints dates to people or is given some. */
export function zoneOption(): Option {
  return new Option('--tz <zone>', 'IANA zone of the times; else that of the accounts, where they agree, else UTC')
}

/** The clock of one command. */
class WallClock {
  readonly #findZone: () => string
  #zone: string | null = null
  /** Whether a time was written that does not say its zone. */
  isToBeNamed = false

  constructor(findZone: () => string) {
    this.#findZone = findZone
  }

  /** Found out when the first date is printed or read: most output for programs has none. */
  get zone(): string {
    this.#zone ??= this.#findZone()
    return this.#zone
  }
}

const CURRENT = new AsyncLocalStorage<WallClock>()

/** Runs a command, all of whose times are on one clock: that of `--tz`, else of the accounts where they agree, else UTC. Throws `usage`. */
export function onWallClock<Args extends unknown[]>(
  context: CommandContext,
  act: (this: Command, ...args: Args) => void | Promise<void>,
): (this: Command, ...args: Args) => Promise<void> {
  return async function (this: Command, ...args: Args): Promise<void> {
    const { config, tz } = this.optsWithGlobals<{ readonly config: string; readonly tz?: string }>()
    const chosen = tz === undefined ? null : requireZone(tz)
    const clock = new WallClock(() => chosen ?? zoneOfAccounts(config, context))
    await CURRENT.run(clock, async () => act.apply(this, args))
    if (clock.isToBeNamed && clock.zone !== 'UTC') context.stderr.write(`Times in ${clock.zone}.\n`)
  }
}

function requireZone(name: string): string {
  const zone = readTimeZone(name)
  if (zone !== null) return zone
  throw new ShipbellError(
    'usage',
    `--tz ${JSON.stringify(name)} is no time zone that is known here: give an IANA name such as Europe/Paris.`,
  )
}

/** A configuration that cannot be read has no accounts that agree: the command itself says what is wrong with it. */
function zoneOfAccounts(file: string, context: CommandContext): string {
  const accounts = loadWatched(file, context) ?? []
  return commonZone(accounts.map(({ timeZone }) => timeZone))
}

/** The zone of the command that runs; UTC for one that has none. */
export function wallZone(): string {
  return zoneOfCommand() ?? 'UTC'
}

/** The zone of the command that runs; null: it says no times. */
export function zoneOfCommand(): string | null {
  return CURRENT.getStore()?.zone ?? null
}

/** An instant to the millisecond: `2026-12-12T11:00:00.000+01:00`, in UTC with its `Z`. */
export function wallTime(at: number): string {
  const zone = wallZone()
  if (zone === 'UTC') return formatInstant(at)
  return formatInZone(at, zone).replace(/(?<=T\d\d:\d\d:\d\d)(?=[+-])/, '.000')
}

/** An instant to the minute, `2026-12-12 11:00`; the command names the zone below. */
export function shortTime(at: number): string {
  const clock = CURRENT.getStore()
  if (clock !== undefined) clock.isToBeNamed = true
  return wallTime(at).slice(0, 16).replace('T', ' ')
}

const INSTANT = /(?<![\w-])\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z(?!\w)/g

/** A sentence of ours, its instants on the clock of the command. */
export function withWallTimes(said: string): string {
  return said.replaceAll(INSTANT, (text) => wallTime(parseInstant(text) ?? 0))
}

/** A date as the platform wrote it; where its offset is another one, first on the clock of the command. */
export function wallDate(sent: string): string {
  const at = parseInstant(sent)
  if (at === null) return sent
  const shown = formatInZone(at, wallZone()).replace(/\+00:00$/, 'Z')
  return isSameWall(shown, sent) ? sent : `${shown} (sent as ${sent})`
}

/** Whether two ways of writing one instant show the same day and minute. */
function isSameWall(one: string, other: string): boolean {
  return one.slice(0, 16) === other.slice(0, 16).replace(' ', 'T')
}
