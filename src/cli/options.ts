import { Option } from 'commander'
import { ShipbellError } from '../errors.ts'
import { readPointInTime } from '../model/point-in-time.ts'

/** `-c FILE`, on every command that reads a configuration (guarantee C5). */
export function configOption(): Option {
  return new Option('-c, --config <file>', 'the configuration').default('shipbell.yaml')
}

/** Rows of a list on a screen. A program that asks for `--json` gets all of them unless it limits itself. */
const SCREEN = 50
const ALL = 2 ** 31 - 1

export function rowLimit({ limit, json }: { readonly limit?: string; readonly json?: true }): number {
  if (limit === undefined) return json === true ? ALL : SCREEN
  const rows = Number(limit)
  if (/^\d+$/.test(limit) && rows >= 1 && rows <= ALL) return rows
  throw new ShipbellError(
    'usage',
    `--limit ${JSON.stringify(limit)} is not a number of rows: give a whole number from 1.`,
  )
}

/** The instant that T of the command line means (`readPointInTime`). */
export function parsePointInTime(text: string, now: number): number {
  const instant = readPointInTime(text, now)
  if (instant !== null) return instant
  const example = 'such as 2026-11-21T08:00:00Z, 2026-11-21 or 24h (ago)'
  throw new ShipbellError(
    'usage',
    `${JSON.stringify(text)} is not a time: give an ISO date-time, a date or a duration, ${example}.`,
  )
}

export function pointInTime(text: string | undefined, now: number): { readonly since?: number } {
  return text === undefined ? {} : { since: parsePointInTime(text, now) }
}
