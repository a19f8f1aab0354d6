import type { CopiedTable } from './copied-tables.ts'
import type { Row, TableColumns, Value, WritableRows } from './copy-ports.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const COLUMNS = new Query<{ name: string }>('SELECT name FROM pragma_table_info(?) ORDER BY cid')

const MOST_ROWS = 1_000
const MOST_BYTES = 1_000_000

/** The rows of a store, by a connection that nobody else uses. */
export class FileRows implements WritableRows {
  readonly #db: Connection

  constructor(db: Connection) {
    this.#db = db
  }

  async columns(table: CopiedTable): Promise<readonly string[]> {
    return this.#db.all(COLUMNS, table).map(({ name }) => name)
  }

  async count(table: CopiedTable): Promise<number> {
    return this.#db.one(new Query<{ amount: number }>(`SELECT count(*) AS amount FROM ${table}`))?.amount ?? 0
  }

  async *batches({ columns, table }: TableColumns): AsyncGenerator<readonly Row[], void> {
    let batch: Row[] = []
    let bytes = 0
    for (const row of this.#db.lines(`SELECT ${named(columns)} FROM ${table}`)) {
      batch.push(row)
      bytes += row.reduce<number>((sum, value) => sum + sizeOf(value), 0)
      if (batch.length < MOST_ROWS && bytes < MOST_BYTES) continue
      yield batch
      batch = []
      bytes = 0
    }
    if (batch.length > 0) yield batch
  }

  async write({ columns, table }: TableColumns, rows: readonly Row[]): Promise<void> {
    const sql = `INSERT INTO ${table} (${named(columns)}) VALUES (${columns.map(() => '?').join(', ')})`
    this.#db.transact('BEGIN IMMEDIATE', () => {
      for (const row of rows) this.#db.run(sql, ...row)
    })
  }
}

function named(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

function sizeOf(value: Value): number {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8
}
