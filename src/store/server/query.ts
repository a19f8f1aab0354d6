import { hash } from 'node:crypto'
import { encodeText } from './text.ts'

type Value = string | number | boolean | Buffer | null
/** An array is one value: `unnest(:ids::text[])`. */
export type Bound = Value | readonly Value[]
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
