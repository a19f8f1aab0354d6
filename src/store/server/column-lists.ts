import type { Bound } from './query.ts'
import { encodeText } from './text.ts'

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
