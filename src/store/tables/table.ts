/** A column: its type in PostgreSQL, whose texts and numbers are SQLite's too, and, declared beside it, its values. */
export interface Column<Value> {
  readonly type: 'bigint' | 'text' | 'double precision'
  /** Only the compiler looks at it. */
  readonly value?: Value
}

export type Columns = Readonly<Record<string, Column<unknown>>>

/** A row of a table, by the names of its columns. */
export type RowOf<T> = T extends Table<infer C> ? { readonly [Name in keyof C]: ValueOf<C[Name]> } : never
type ValueOf<C> = C extends Column<infer Value> ? Value : never

export const INTEGER: Column<number> = { type: 'bigint' }
export const INTEGER_OR_NULL: Column<number | null> = { type: 'bigint' }
export const REAL: Column<number> = { type: 'double precision' }

export function text<Value extends string = string>(): Column<Value> {
  return { type: 'text' }
}

export function textOrNull<Value extends string = string>(): Column<Value | null> {
  return { type: 'text' }
}

/** A table of both kinds of store, as far as rows are written whole: what is said here of its columns is said nowhere else. */
export class Table<const C extends Columns> {
  readonly name: string
  readonly key: readonly (keyof C & string)[]
  readonly columns: C

  constructor(name: string, key: readonly (keyof C & string)[], columns: C) {
    this.name = name
    this.key = key
    this.columns = columns
  }

  /** The names of its columns, in the order of their declaration. */
  get names(): string {
    return Object.keys(this.columns).join(', ')
  }

  /** Writes one row, bound by the names of its columns, in place of the one of its key. */
  get upsert(): string {
    const values = Object.keys(this.columns).map((name) => `:${name}`)
    return `INSERT INTO ${this.name} (${this.names}) VALUES (${values.join(', ')}) ${this.#instead}`
  }

  /** Writes rows, bound as JSON by the name `rows`, in place of those of their keys: PostgreSQL alone has `json_to_recordset`. */
  get upsertAll(): string {
    const types = Object.entries(this.columns).map(([name, { type }]) => `${name} ${type}`)
    return `INSERT INTO ${this.name} (${this.names})
      SELECT ${this.names} FROM json_to_recordset(:rows::json) AS row (${types.join(', ')}) ${this.#instead}`
  }

  get #instead(): string {
    const others = Object.keys(this.columns).filter((name) => !this.key.includes(name))
    return `ON CONFLICT (${this.key.join(', ')}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`
  }
}
