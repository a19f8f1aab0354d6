import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { Table, text, INTEGER } from '../../src/store/tables/table.ts'
import * as tables from '../../src/store/tables/tables.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { withFolder } from './folder.ts'

const TYPES: Readonly<Record<string, string>> = { INTEGER: 'bigint', TEXT: 'text', REAL: 'double precision' }
const COLUMNS = new Query<{ name: string; type: string; key: number | null }>(`
  SELECT attname AS name, format_type(atttypid, NULL) AS type, array_position(indkey::int2[], attnum) AS key
  FROM pg_attribute JOIN pg_index ON indrelid = attrelid AND indisprimary
  WHERE attrelid = to_regclass(:table) AND attnum > 0 AND NOT attisdropped`)
/** Columns that are written alone. */
const OTHERS: Readonly<Record<string, readonly string[]>> = { lists: ['churning', 'lying_validators'] }

interface Known {
  readonly name: string
  readonly type: string | undefined
  readonly key: number | null
}

async function columnsOfFile(table: string): Promise<readonly Known[]> {
  const columns: Known[] = []
  await withFolder(async (folder) => {
    putEmptyStore(`${folder}/shipbell.db`)
    const sqlite = new Sqlite(`${folder}/shipbell.db`, { readonly: true })
    const sql = 'SELECT name, type, pk FROM pragma_table_info(?)'
    for (const { name, pk, type } of sqlite
      .prepare<[string], { name: string; type: string; pk: number }>(sql)
      .all(table))
      columns.push({ name, type: TYPES[type], key: pk === 0 ? null : pk })
    sqlite.close()
  })
  return columns
}

async function columnsOfDatabase(table: string): Promise<readonly Known[]> {
  const databases = await postgresDatabases()
  const url = await databases.take()
  const db = new Database({ url, pool: 1 })
  const rows = await db.all(COLUMNS, { table })
  await db[Symbol.asyncDispose]()
  await databases.giveBack(url)
  // Places of an index are numbered from 0.
  return rows.map(({ key, name, type }) => ({ name, type, key: key === null ? null : key + 1 }))
}

test.each(Object.values(tables))('the table $name is said as both kinds of store have it', async (table) => {
  const said = Object.entries(table.columns).map(([name, { type }]) => {
    const place = [...table.key].findIndex((column) => column === name)
    return { name, type, key: place === -1 ? null : place + 1 }
  })
  for (const known of [await columnsOfFile(table.name), await columnsOfDatabase(table.name)]) {
    const written = known.filter(({ name }) => OTHERS[table.name]?.includes(name) !== true)
    expect(new Map(written.map((column) => [column.name, column]))).toEqual(
      new Map(said.map((column) => [column.name, column])),
    )
  }
})

test('a table says how its rows are written', () => {
  const table = new Table('things', ['a', 'b'], { a: text(), b: INTEGER, c: INTEGER, d: text() })
  const instead = 'ON CONFLICT (a, b) DO UPDATE SET c = excluded.c, d = excluded.d'
  expect(table.upsert).toBe(`INSERT INTO things (a, b, c, d) VALUES (:a, :b, :c, :d) ${instead}`)
  expect(table.upsertAll.replaceAll(/\s+/g, ' ')).toBe(
    `INSERT INTO things (a, b, c, d) SELECT a, b, c, d FROM json_to_recordset(:rows::json) AS row (a text, b bigint, c bigint, d text) ${instead}`,
  )
})
