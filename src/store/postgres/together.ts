import type { Transaction } from './database.ts'
import { Query, type BoundValues } from './query.ts'

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
  const parts = Object.entries(looks).map(([name, look]) => ({ name, look }))
  const columns = parts.map(({ look, name }) => {
    const rows =
      look === null ? `'[]'::json` : `(SELECT coalesce(json_agg(each), '[]') FROM (${named(look, name)}) AS each)`
    return `${rows} AS "${name}"`
  })
  const values = parts.map(({ look, name }) => (look === null ? {} : valuesOf(look, name)))
  const rows = await tx.all(new Query<Seen<L>>(`SELECT ${columns.join(', ')}`), Object.assign({}, ...values))
  return only(rows)
}

/**
 * Several writes by one statement: each part is a list of `name AS (…)`, the names being different in all of them. They see the
 * same state, that from before, and no two may write one row. Nothing is asked where all are null.
 */
export async function writeTogether(tx: Transaction, writes: Readonly<Record<string, Part | null>>): Promise<void> {
  const parts = Object.entries(writes).flatMap(([name, part]) => (part === null ? [] : [{ name, part }]))
  if (parts.length === 0) return
  const sql = `WITH ${parts.map(({ name, part }) => named(part, name)).join(', ')} SELECT`
  await tx.run(new Query(sql), Object.assign({}, ...parts.map(({ name, part }) => valuesOf(part, name))))
}

function named({ sql }: Part, prefix: string): string {
  return sql.replace(NAME, (_, name: string) => `:${prefix}_${name}`)
}

function valuesOf({ values }: Part, prefix: string): BoundValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]))
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement without FROM answers one row')
  return row
}
