import { encodeText } from './text.ts'

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
