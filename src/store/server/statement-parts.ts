import type { Bound } from './query.ts'
import { encodeText } from './text.ts'

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

type ColumnType = 'bigint' | 'text' | 'tid'
/** Columns with their types, in the order in which a statement names them. */
type Columns = Readonly<Record<string, ColumnType>>

/**
 * Rows as a list for each column, to be bound: `unnest(:ref::bigint[], …)`, which reads them again. `prefix`: of the names that are
 * bound, where a statement has several such lists.
 */
export function unnested(columns: Columns, prefix = ''): string {
  return `unnest(${Object.entries(columns)
    .map(([name, type]) => `:${prefix}${name}::${type}[]`)
    .join(', ')})`
}

/** The values of `unnested`. */
export function listed<const C extends Columns>(
  columns: C,
  rows: readonly { readonly [Name in keyof C]: string | number | null }[],
  prefix = '',
): Readonly<Record<string, Bound>> {
  const names = Object.keys(columns).filter((name): name is keyof C & string => name in columns)
  return Object.fromEntries(names.map((name) => [`${prefix}${name}`, rows.map((row) => row[name])]))
}

/** `a = row.a, b = row.b`, of all columns. */
export function assigned(columns: Columns, row: string): string {
  return Object.keys(columns)
    .map((name) => `${name} = ${row}.${name}`)
    .join(', ')
}

export function namesOf(columns: Columns): string {
  return Object.keys(columns).join(', ')
}

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
