import { ShipbellError } from '../errors.ts'

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
