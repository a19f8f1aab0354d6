/** A column: its type in PostgreSQL, each of which SQLite has, too, and, declared beside it, its values. */
export interface Column<Value> {
  readonly type: 'bigint' | 'text' | 'double precision' | 'bytea'
  readonly isNullable: boolean
  /** Only the compiler looks at it. */
  readonly value?: Value
}

export type Columns = Readonly<Record<string, Column<unknown>>>

type ColumnsOf<T> = T extends Table<infer C> ? C : never
type ValueOf<C> = C extends Column<infer Value> ? Value : never
/** The name of a column as the code has it: `sentAt` of `sent_at`. */
type CodeName<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CodeName<Tail>>}` : Name

type Words<Text> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text

/** A row of a table, by the names that the code has of its columns: as `selected` answers it, and statements with `:names` take it. */
export type RowOf<T> = {
  readonly [Name in keyof ColumnsOf<T> as CodeName<Name>]: ValueOf<ColumnsOf<T>[Name]>
}

/** A row of a table, by the names of its columns: as `SELECT *` answers it. */
export type PlainRowOf<T> = { readonly [Name in keyof ColumnsOf<T>]: ValueOf<ColumnsOf<T>[Name]> }

export const INTEGER: Column<number> = { type: 'bigint', isNullable: false }
export const INTEGER_OR_NULL: Column<number | null> = { type: 'bigint', isNullable: true }
export const REAL: Column<number> = { type: 'double precision', isNullable: false }
export const BYTES: Column<Buffer> = { type: 'bytea', isNullable: false }
export const TEXT: Column<string> = { type: 'text', isNullable: false }
export const TEXT_OR_NULL: Column<string | null> = { type: 'text', isNullable: true }

/** Text of which only some values are there. */
export function text<Value extends string>(): Column<Value> {
  return { type: 'text', isNullable: false }
}

export function textOrNull<Value extends string>(): Column<Value | null> {
  return { type: 'text', isNullable: true }
}

export function table<const C extends Columns>(name: string, key: readonly (keyof C & string)[], columns: C): Table<C> {
  return new Table<C>(name, key, columns)
}

/**
 * A table of both kinds of store, or some of its columns: what is said here of them is said nowhere else. The parts of statements are
 * made once, when a module is loaded.
 */
export class Table<out C> {
  readonly name: string
  /** The columns of the primary key; a table of one row has none. */
  readonly key: readonly string[]
  readonly columns: Columns
  /** Only the compiler looks at it. */
  declare readonly declared: C
  /** The names that the code has of its columns, in their order. */
  readonly #codeNames: readonly string[]

  constructor(name: string, key: readonly string[], columns: Columns) {
    this.name = name
    this.key = key
    this.columns = columns
    this.#codeNames = Object.keys(columns).map(codeNameOf)
  }

  /** The table with some of its columns: `only('id sent_at')`. */
  only<const Names extends string>(
    names: Words<Names> extends keyof C ? Names : never,
  ): Table<Pick<C, Words<Names> & keyof C>> {
    return new Table(
      this.name,
      this.key,
      Object.fromEntries(names.split(' ').map((name) => [name, this.#column(name)])),
    )
  }

  without<const Name extends keyof C & string>(...names: readonly Name[]): Table<Omit<C, Name>> {
    const left = Object.entries(this.columns).filter(([name]) => !names.some((other) => other === name))
    return new Table(this.name, this.key, Object.fromEntries(left))
  }

  /** The names of its columns: `id, sent_at`. */
  get names(): string {
    return this.#list((name) => name)
  }

  /** What a SELECT names to answer a `RowOf` it: `page.id, page.sent_at AS "sentAt"`. `of`: what the statement calls the table. */
  selected(of = this.name): string {
    return this.#list((name) => (codeNameOf(name) === name ? `${of}.${name}` : `${of}.${name} AS ${quoted(name)}`))
  }

  /** Writes one row, whose values are bound in the order of the columns. */
  get insert(): string {
    return `INSERT INTO ${this.name} (${this.names}) VALUES (${this.#list(() => '?')})`
  }

  /** The values that `insert` writes of a row. */
  bound<Value>(row: RowOf<Table<C>> & Readonly<Record<string, Value>>): readonly (Value | null)[] {
    return this.#codeNames.map((name) => row[name] ?? null)
  }

  /** Writes one row, bound by name. */
  get insertNamed(): string {
    return `INSERT INTO ${this.name} (${this.names}) VALUES (${this.#list((name) => `:${codeNameOf(name)}`)})`
  }

  /** Writes one row, bound by name, in place of the one of its key. */
  get upsert(): string {
    return `${this.insertNamed} ${this.instead()}`
  }

  /** What an UPDATE sets from values that are bound by name: `sent_at = :sentAt`. */
  get settings(): string {
    return this.#list((name) => `${name} = :${codeNameOf(name)}`)
  }

  /** What an INSERT does where there is a row of the key, which is the primary one or another that is unique. */
  instead(key = this.key): string {
    const others = Object.keys(this.columns).filter((name) => !this.key.includes(name) && !key.includes(name))
    return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`
  }

  /** What `json_to_recordset` is told of the rows that are bound as JSON, which PostgreSQL alone has: `id text, "sentAt" bigint`. */
  get typed(): string {
    return this.#list((name, { type }) => `${quoted(name)} ${type}`)
  }

  /** The columns of such rows, or what is taken in their place. */
  valued(others: Readonly<Record<string, string>> = {}): string {
    return this.#list((name) => others[name] ?? quoted(name))
  }

  /** Writes rows that are bound as JSON by the name `rows`, or by another. */
  insertAll(others: Readonly<Record<string, string>> = {}, rows = 'rows'): string {
    return `INSERT INTO ${this.name} (${this.names})
      SELECT ${this.valued(others)} FROM json_to_recordset(:${rows}::json) AS row (${this.typed})`
  }

  /**
   * Rows that are bound as a list for each column, which `unnest` makes rows of again, as PostgreSQL alone can: `unnest(:id::text[], …)`.
   * `prefix`: of the names that are bound, where a statement has several such lists.
   */
  unnested(prefix = ''): string {
    return `unnest(${this.#list((name, { type }) => `:${prefix}${name}::${type}[]`)})`
  }

  /** The values of `unnested`. */
  listed(
    rows: readonly { readonly [Name in keyof C]: string | number | null }[],
    prefix = '',
  ): Readonly<Record<string, readonly (string | number | null)[]>> {
    const names = Object.keys(this.columns).filter((name): name is keyof C & string => name in this.columns)
    return Object.fromEntries(names.map((name) => [`${prefix}${name}`, rows.map((row) => row[name])]))
  }

  /** What an UPDATE sets from such rows: `sent_at = row.sent_at`. */
  assigned(row: string): string {
    return this.#list((name) => `${name} = ${row}.${name}`)
  }

  #column(name: string): Column<unknown> {
    const column = this.columns[name]
    if (column === undefined) throw new Error(`${this.name} has no column ${name}`)
    return column
  }

  #list(part: (name: string, column: Column<unknown>) => string): string {
    return Object.entries(this.columns)
      .map(([name, column]) => part(name, column))
      .join(', ')
  }
}

function codeNameOf(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function quoted(name: string): string {
  const codeName = codeNameOf(name)
  return codeName === name ? name : `"${codeName}"`
}
