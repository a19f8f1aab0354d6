import { type BoundValues, encodeText, Query } from './query.ts'
import type { Transaction } from './database.ts'

/**
 * The row of a record's key, for `JOIN … ON true`: a range that begins at the key, in the order of the key, which only the index of
 * the key gives. By equality alone the planner takes any index that begins with account and resource, or the whole table, and so
 * reads all of a list, as long as it knows nothing of the account: tables are analysed some time after they were filled.
 */
export function rowOfKey(
  table: 'records' | 'reads',
  { account, id, resource }: Readonly<Record<'account' | 'resource' | 'id', string>>,
): string {
  const key = `${account}, ${resource}, ${id}`
  return `LATERAL (
    SELECT * FROM (
      SELECT * FROM ${table} WHERE (account, resource, id) >= (${key}) ORDER BY account, resource, id LIMIT 1
    ) AS first WHERE (account, resource, id) = (${key})
  )`
}

/** The key of a row `wanted (account, resource, id)`. */
export const WANTED = { account: 'wanted.account', resource: 'wanted.resource', id: 'wanted.id' } as const

type Row = Readonly<Record<string, string | number | null>>

/**
 * Rows as one value, for `json_to_recordset(:rows::json)`: one statement writes them all. Their texts are made fit for the database
 * here: half a surrogate pair, which JSON could not name there, becomes U+FFFD as in every other value.
 */
export function jsonRows(rows: readonly Row[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? encodeText(value.toWellFormed()) : value,
  )
}

/** A part of a statement: each has `:names` of its own. */
export interface Part {
  readonly sql: string
  readonly values: BoundValues
}

/** A statement that only reads; declared beside it, the shape of its rows. */
export interface Look<Row> extends Part {
  /** Only the compiler looks at it. */
  readonly row?: Row
}

type Looks = Readonly<Record<string, Look<unknown> | null>>
type Seen<L extends Looks> = { readonly [K in keyof L]: readonly RowOf<L[K]>[] }
type RowOf<L> = L extends Look<infer Row> ? Row : never

const NAME = /(?<!:):([a-zA-Z]\w*)/g

/** Several looks by one statement, each answered by its rows. null: by none, and nothing is asked. */
export async function lookTogether<const L extends Looks>(tx: Transaction, looks: L): Promise<Seen<L>> {
  const parts = Object.entries(looks).map(([name, look]) => ({ name, part: look, kind: 'look' as const }))
  const query: Query<Seen<L>> = statementOf('look', parts, lookSql)
  return only(await tx.all(query, valuesOf(parts)))
}

type Parts = Readonly<Record<string, Part | null>>

/**
 * Several writes by one statement: each part is a list of `name AS (…)`, the names being different in all of them. They see the
 * same state, that from before, and no two may write one row. `calls` are of functions that write other rows. Nothing is asked
 * where all are null.
 */
export async function writeTogether(tx: Transaction, writes: Parts, calls: Parts = {}): Promise<void> {
  const parts = [...namedParts(writes, 'write'), ...namedParts(calls, 'call')]
  if (parts.every(({ part }) => part === null)) return
  await tx.run(statementOf('write', parts, writeSql), valuesOf(parts))
}

function namedParts(parts: Parts, kind: 'write' | 'call'): readonly NamedPart[] {
  return Object.entries(parts).map(([name, part]) => ({ name, part, kind }))
}

interface NamedPart {
  readonly kind: 'look' | 'write' | 'call'
  readonly name: string
  readonly part: Part | null
}

function lookSql(parts: readonly NamedPart[]): string {
  const columns = parts.map(({ name, part }) => {
    const rows =
      part === null ? `'[]'::json` : `(SELECT coalesce(json_agg(each), '[]') FROM (${named(part, name)}) AS each)`
    return `${rows} AS "${name}"`
  })
  return `SELECT ${columns.join(', ')}`
}

function writeSql(parts: readonly NamedPart[]): string {
  const of = (wanted: NamedPart['kind']): readonly string[] =>
    parts.flatMap(({ kind, name, part }) => (part === null || kind !== wanted ? [] : [named(part, name)]))
  const [writes, calls] = [of('write'), of('call')]
  return `${writes.length === 0 ? '' : `WITH ${writes.join(', ')} `}SELECT ${calls.join(', ')}`
}

/** Few different ones come together: which parts there are is decided by what an answer can show. */
const STATEMENTS = new Map<string, Query>()

function statementOf(kind: string, parts: readonly NamedPart[], sqlOf: (parts: readonly NamedPart[]) => string): Query {
  const key = [kind, ...parts.map(({ name, part }) => `${name} ${part?.sql ?? ''}`)].join('\n')
  const statement = STATEMENTS.get(key) ?? Query.frequent(sqlOf(parts))
  STATEMENTS.set(key, statement)
  return statement
}

function named({ sql }: Part, prefix: string): string {
  return sql.replace(NAME, (_, name: string) => `:${prefix}_${name}`)
}

function valuesOf(parts: readonly NamedPart[]): BoundValues {
  const all = parts.flatMap(({ name: prefix, part }) =>
    Object.entries(part?.values ?? {}).map(([name, value]) => [`${prefix}_${name}`, value] as const),
  )
  return Object.fromEntries(all)
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement without FROM answers one row')
  return row
}
