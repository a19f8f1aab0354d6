import type Sqlite from 'better-sqlite3'

export type Value = string | number | Buffer | null
/** Values in the order of the statement's `?`, or one object for its `:names`. */
export type Bound = Value | Readonly<Record<string, Value>>

/** A statement that answers rows: its SQL and, declared beside it, their shape. Prepared once for each connection. */
export class Query<Row> {
  readonly #sql: string
  readonly #prepared = new WeakMap<Sqlite.Database, Sqlite.Statement<Bound[], Row>>()

  constructor(sql: string) {
    this.#sql = sql
  }

  on(sqlite: Sqlite.Database): Sqlite.Statement<Bound[], Row> {
    let statement = this.#prepared.get(sqlite)
    if (statement === undefined) {
      statement = sqlite.prepare<Bound[], Row>(this.#sql)
      this.#prepared.set(sqlite, statement)
    }
    return statement
  }
}
