import { Option } from 'commander'
import { ShipbellError } from '../errors.ts'
import { collectItems, itemsOf, type Page, type PageQuery } from '../model/page.ts'
import { readPointInTime } from '../model/point-in-time.ts'
import type { JsonOptions } from './json-output.ts'
import { wallZone } from './wall-clock.ts'

/** `-c FILE`, on every command that reads a configuration (guarantee C5). */
export function configOption(): Option {
  return new Option('-c, --config <file>', 'the configuration').default('shipbell.yaml')
}

/** Rows of a list on a screen. A program that asks for data gets all of them unless it limits itself. */
const SCREEN = 50
const MOST = 2 ** 31 - 1

/** Infinity: all. */
export function rowLimit({ limit, json, template }: JsonOptions & { readonly limit?: string }): number {
  if (limit === undefined) return json === undefined && template === undefined ? SCREEN : Number.POSITIVE_INFINITY
  const rows = Number(limit)
  if (/^\d+$/.test(limit) && rows >= 1 && rows <= MOST) return rows
  throw new ShipbellError(
    'usage',
    `--limit ${JSON.stringify(limit)} is not a number of rows: give a whole number from 1.`,
  )
}

type ReadPage<T> = (query: PageQuery & { readonly oldestFirst?: boolean }) => Promise<Page<T>>

/** The newest rows of a list, newest last. */
export async function newestRows<T>(read: ReadPage<T>, limit: number): Promise<readonly T[]> {
  return (await collectItems(read, limit)).toReversed()
}

/** The first rows of a list, in its order, and whether more follow. */
export async function firstItems<T>(
  read: ReadPage<T>,
  limit: number,
): Promise<{ readonly items: readonly T[]; readonly more: boolean }> {
  const items = await collectItems(read, limit + 1)
  return { items: items.slice(0, limit), more: items.length > limit }
}

/** The newest rows for a program, which may want all: those are read as they are taken. */
export async function dataRows<T>(read: ReadPage<T>, limit: number): Promise<Iterable<T> | AsyncIterable<T>> {
  if (limit !== Number.POSITIVE_INFINITY) return await newestRows(read, limit)
  return itemsOf(async (page) => await read({ ...page, oldestFirst: true }))
}

/** The instant that T of the command line means (`readPointInTime`). */
export function parsePointInTime(text: string, now: number): number {
  const instant = readPointInTime(text, now, wallZone())
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
