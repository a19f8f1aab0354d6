import type { CopiedTable } from './copied-tables.ts'
import type { Row, TableColumns, Value, WritableRows } from './copy-ports.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const COLUMNS = new Query<{ name: string; type: string }>(`
  SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
  WHERE attrelid = to_regclass(:table) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`)
/** The columns of the primary key, in its order; none of a table of one row. */
const KEY = new Query<{ name: string }>(`
  SELECT attname AS name FROM pg_index CROSS JOIN unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)
    JOIN pg_attribute ON attrelid = indrelid AND attnum = key.number
  WHERE indrelid = to_regclass(:table) AND indisprimary ORDER BY place`)
const FETCH_FIRST = 20
const FETCH_MOST = 1_000
const CLOSE = new Query('CLOSE copied_rows')

/** What one answer is to take, as far as the answer before it can tell. */
const BATCH_BYTES = 1_000_000

/** Within one transaction. */
export class DatabaseRows implements WritableRows {
  readonly #tx: Transaction

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  async columns(table: CopiedTable): Promise<readonly string[]> {
    return (await this.#tx.all(COLUMNS, { table })).map(({ name }) => name)
  }

  async count(table: CopiedTable): Promise<number> {
    return (await this.#tx.one(new Query<{ amount: number }>(`SELECT count(*) AS amount FROM ${table}`)))?.amount ?? 0
  }

  /** All rows in the order of the key: the other kind of store takes them so for less. */
  async *batches({ columns, table }: TableColumns): AsyncGenerator<readonly Row[], void> {
    const key = (await this.#tx.all(KEY, { table })).map(({ name }) => name)
    const order = key.length === 0 ? '' : ` ORDER BY ${named(key)}`
    await this.#tx.run(
      new Query(`DECLARE copied_rows NO SCROLL CURSOR FOR SELECT ${named(columns)} FROM ${table}${order}`),
    )
    for (let amount = FETCH_FIRST; ;) {
      const found = await this.#tx.all(new Query<Readonly<Record<string, Value>>>(`FETCH ${amount} FROM copied_rows`))
      const rows = found.map((row) => columns.map((column) => row[column] ?? null))
      if (rows.length > 0) yield rows
      if (rows.length < amount) break
      const room = Math.floor((BATCH_BYTES * amount) / sizeOf(rows))
      amount = Math.max(1, Math.min(2 * amount, room, FETCH_MOST))
    }
    await this.#tx.run(CLOSE)
  }

  async write(of: TableColumns, rows: readonly Row[]): Promise<void> {
    await this.#tx.run(
      await this.#insertInto(of),
      Object.fromEntries(of.columns.map((_, at) => [`v${at}`, rows.map((row) => row[at] ?? null)])),
    )
  }

  async #insertInto({ columns, table }: TableColumns): Promise<Query> {
    const types = new Map((await this.#tx.all(COLUMNS, { table })).map(({ name, type }) => [name, type]))
    const values = columns.map((column, at) => `:v${at}::${types.get(column) ?? 'text'}[]`)
    return new Query(`INSERT INTO ${table} (${named(columns)}) SELECT * FROM unnest(${values.join(', ')})`)
  }
}

function named(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

function sizeOf(rows: readonly Row[]): number {
  const sizes = rows.flat().map((value) => (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8))
  return sizes.reduce((sum, size) => sum + size, 1)
}
