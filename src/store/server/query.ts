import { type CustomTypesConfig, types } from 'pg'
import { ShipbellError } from '../../errors.ts'
import { hash } from 'node:crypto'

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

type Value = string | number | boolean | Buffer | null
/** An array is one value: `unnest(:ids::text[])`. */
type Bound = Value | readonly Value[]
export type BoundValues = Readonly<Record<string, Bound>>

const NAME_LENGTH = 16
/** A name behind one colon; two colons are a cast. */
const NAME = /(?<!:):([a-zA-Z]\w*)/g

/** A statement with `:names`, and, declared beside it, the shape of the rows that it answers. */
export class Query<Row = never> {
  /** With `$1` in place of the names. */
  readonly text: string
  /** What the server keeps its plan under, on connections that lead straight to it; undefined: it is planned each time. */
  readonly name: string | undefined
  readonly #names: readonly string[]
  /** Only the compiler looks at it. */
  declare readonly row: Row

  constructor(sql: string, { isFrequent = false } = {}) {
    const names: string[] = []
    this.text = sql.replace(NAME, (_, name: string) => {
      if (!names.includes(name)) names.push(name)
      return `$${names.indexOf(name) + 1}`
    })
    this.#names = names
    this.name = isFrequent ? hash('sha1', this.text).slice(0, NAME_LENGTH) : undefined
  }

  /** One whose plan is kept: it is the same plan whatever its values. */
  static frequent<Row = never>(sql: string): Query<Row> {
    return new Query<Row>(sql, { isFrequent: true })
  }

  /** Values that the statement does not name are left out; one that it names and that is missing is null. */
  values(given: BoundValues): unknown[] {
    return this.#names.map((name) => encode(given[name] ?? null))
  }
}

function encode(value: Bound): unknown {
  if (typeof value === 'string') return encodeText(value)
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value
  return value.some((each) => Buffer.isBuffer(each)) ? value : `{${value.map(encodeElement).join(',')}}`
}

const QUOTED = /["\\]/g

/** An element as the server writes arrays. The client would go through each text thrice, and through numbers like through texts. */
function encodeElement(value: Value): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `"${encodeText(value).replace(QUOTED, String.raw`\$&`)}"` : String(value)
}

/**
 * A statement whose rows come as one value, in the order of its SQL: a connection takes longer to read many of them column by column.
 * Its plan is kept. Asked by `lookAt`.
 */
export class JsonQuery<Row> extends Query<{ readonly rows: readonly Row[] }> {
  constructor(sql: string) {
    super(`SELECT coalesce(json_agg(each), '[]') AS rows FROM (${sql}) AS each`, { isFrequent: true })
  }
}

export async function lookAt<Row>(
  tx: { one<R>(query: Query<R>, values: BoundValues): Promise<R | undefined> },
  query: JsonQuery<Row>,
  values: BoundValues,
): Promise<readonly Row[]> {
  return (await tx.one(query, values))?.rows ?? []
}
