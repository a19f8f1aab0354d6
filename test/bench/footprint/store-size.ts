import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** Bytes of a store's file, by what they hold. */
export interface StoreSize {
  readonly file: number
  readonly bodies: number
  readonly records: number
  readonly reads: number
  readonly indexes: number
  readonly other: number
}

/** The store must be closed: nothing is left in its write-ahead log. */
export function storeSize(path: string): StoreSize {
  const db = new Sqlite(path, { readonly: true })
  try {
    const sizes = db
      .prepare<[], { name: string; bytes: number; isTable: number }>(
        `SELECT stat.name, stat.pgsize AS bytes, schema.type IS 'table' AS isTable
         FROM dbstat AS stat LEFT JOIN sqlite_schema AS schema ON schema.name = stat.name
         WHERE stat.aggregate = TRUE`,
      )
      .all()
    const of = (names: readonly string[]): number =>
      sizes.filter(({ name }) => names.includes(name)).reduce((sum, { bytes }) => sum + bytes, 0)
    const [bodies, records, reads] = [of(['bodies']), of(['records']), of(['reads'])]
    const indexes = sizes.filter(({ isTable }) => isTable === 0).reduce((sum, { bytes }) => sum + bytes, 0)
    const file = statSync(path).size
    return { file, bodies, records, reads, indexes, other: file - bodies - records - reads - indexes }
  } finally {
    db.close()
  }
}
