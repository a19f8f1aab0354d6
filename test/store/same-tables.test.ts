import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { COPIED_TABLES } from '../../src/store/copy/copied-tables.ts'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { withFolder } from './folder.ts'

/** What one kind of store knows of its own place, by why the other one has no use for it. */
const OF_ITS_OWN = {
  file: ['liveness.checks', 'unfilled.what'],
  database: [
    // A file has them in `deliveries`, which has them here from a copied file alone.
    ...['event', 'owner', 'subscription', 'until'].map((column) => `claims.${column}`),
    // Who works on it, and what was sent within the last window of a rate.
    ...['config', 'one'].map((column) => `in_force.${column}`),
    ...['accounts', 'epoch', 'given_back', 'unit', 'worker'].map((column) => `leases.${column}`),
    ...['checks', 'one'].map((column) => `liveness.${column}`),
    ...['amount', 'at', 'subscription'].map((column) => `paces.${column}`),
    // What `requests` has by the minute, of the last minutes.
    ...['account', 'amount', 'since'].map((column) => `sends.${column}`),
    ...['applied_at', 'breaking', 'version'].map((column) => `schema_versions.${column}`),
    ...['command', 'config', 'expires_at', 'host', 'id', 'loaded_at', 'pid', 'port'].map(
      (column) => `workers.${column}`,
    ),
    ...['settings', 'since', 'stalled', 'ttl_ms', 'version'].map((column) => `workers.${column}`),
    // Of a table of one row: its key.
    'ledger_begin.one',
    'steady_time.one',
    ...['gatherer', 'gathers_until', 'paced_ms'].map((column) => `endpoints.${column}`),
  ],
} as const
const OF_A_COPY = ['id', 'other', 'state'].map((column) => `relocation.${column}`)

const COLUMNS = new Query<{ name: string; type: string }>(`
  SELECT relname || '.' || attname AS name, format_type(atttypid, atttypmod) AS type
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped`)
const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'bigint',
  TEXT: 'text',
  REAL: 'double precision',
  BLOB: 'bytea',
}

test('both kinds of store have the same tables and columns, but for what is of their own', async () => {
  const file = await columnsOfFile()
  const database = await columnsOfDatabase()
  const own = new Set<string>([...OF_ITS_OWN.file, ...OF_ITS_OWN.database, ...OF_A_COPY])
  const alone = [...file.keys(), ...database.keys()].filter((name) => !file.has(name) || !database.has(name))
  expect(alone.filter((name) => !own.has(name))).toEqual([])
  const shared = [...file].filter(([name]) => database.has(name) && !own.has(name))
  expect(new Set(shared.map(([name]) => name.split('.')[0]))).toEqual(new Set(COPIED_TABLES))
  expect(shared.map(([name, type]) => [name, TYPES[type]])).toEqual(shared.map(([name]) => [name, database.get(name)]))
})

type Columns = ReadonlyMap<string, string>

async function columnsOfFile(): Promise<Columns> {
  const columns = new Map<string, string>()
  await withFolder(async (folder) => {
    putEmptyStore(`${folder}/shipbell.db`)
    const sqlite = new Sqlite(`${folder}/shipbell.db`, { readonly: true })
    const sql = `SELECT tables.name || '.' || columns.name AS name, columns.type FROM pragma_table_list AS tables
      JOIN pragma_table_info(tables.name) AS columns WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite_%'`
    for (const { name, type } of sqlite.prepare<[], { name: string; type: string }>(sql).all()) columns.set(name, type)
    sqlite.close()
  })
  return columns
}

async function columnsOfDatabase(): Promise<Columns> {
  const databases = await postgresDatabases()
  const url = await databases.take()
  await using db = new Database({ url, pool: 1 })
  return new Map((await db.all(COLUMNS)).map(({ name, type }) => [name, type]))
}
