import { type CustomTypesConfig, types } from 'pg'
import { ShipbellError } from '../../errors.ts'

const NUL = '\0'
const ESCAPE = '\u0010'
const ESCAPE_IN_JSON = String.raw`\u0010`
const RAW = new RegExp(`[${NUL}${ESCAPE}]`, 'g')
const ESCAPED = new RegExp(`${ESCAPE}([0p])`, 'g')

/**
 * PostgreSQL keeps no NUL in a text, and hostile records have some in ids and names: it is written as DLE and `0`, DLE itself
 * as DLE and `p`. JSON has neither, because it escapes both.
 */
export function encodeText(text: string): string {
  return text.includes(NUL) || text.includes(ESCAPE)
    ? text.replace(RAW, (each) => (each === NUL ? `${ESCAPE}0` : `${ESCAPE}p`))
    : text
}

function decodeText(text: string): string {
  return text.includes(ESCAPE) ? text.replace(ESCAPED, (_, kind) => (kind === '0' ? NUL : ESCAPE)) : text
}

/** JSON that the database made of rows. */
function decodeJson(json: string): unknown {
  if (!json.includes(ESCAPE_IN_JSON)) return JSON.parse(json)
  return JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? decodeText(value) : value))
}

const { INT8, JSON: JSON_TEXT, NUMERIC, TEXT } = types.builtins

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map([
  [INT8, toInteger],
  [NUMERIC, toInteger],
  [TEXT, decodeText],
  [JSON_TEXT, decodeJson],
])

/** `bigint` is a number that was checked, `text` has its NULs again, also within JSON. Sums of `bigint` are `numeric`. */
export const VALUE_TYPES: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return types.getTypeParser(oid, format)
    return PARSERS.get(oid) ?? types.getTypeParser(oid, 'text')
  }) as CustomTypesConfig['getTypeParser'],
}

function toInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new ShipbellError('internal', `The number ${text} in the database is none that Shipbell can count with.`)
}

/**
 * In UTF-16 code units, each of which may take three bytes: an entry of an index of PostgreSQL takes 2,704 bytes at most, and an id is
 * kept there with an account and a resource.
 */
export const LONGEST_ID = 500
