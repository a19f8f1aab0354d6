import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { INTEGER, table, TEXT, TEXT_OR_NULL } from '../../src/store/tables/table.ts'
import { COPIED_TABLES, TABLES } from '../../src/store/tables/tables.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { withFolder } from './folder.ts'

interface Column {
  /** With its table: `records.id`. */
  readonly name: string
  readonly type: string | undefined
  readonly isNullable: boolean
  /** The place in the primary key, among the columns that are declared; null: it is not in it. */
  readonly key: number | null
}

const DECLARED: readonly Column[] = COPIED_TABLES.flatMap(({ columns, key, name: of }) =>
  Object.entries(columns).map(([name, column]) => {
    const place = key.indexOf(name)
    return { ...column, name: `${of}.${name}`, key: place === -1 ? null : place + 1 }
  }),
)

/** What one kind of store knows of its own place, by why the other one has no use for it. */
const OF_FILES = new Set([
  ...named('liveness', 'checks'),
  ...named('unfilled', 'what'),
  ...named('relocation', 'id other state'),
  ...named('search_queue', 'record'),
])
const OF_DATABASES = new Set([
  // A file has them in `deliveries`, which has them here from a copied file alone.
  ...named('claims', 'event owner subscription until'),
  // Who works on it, and what was sent within the last window of a rate.
  ...named('in_force', 'config one'),
  ...named('leases', 'accounts epoch given_back unit worker'),
  ...named('paces', 'amount at subscription'),
  ...named('endpoints', 'gatherer gathers_until paced_ms'),
  ...named('workers', 'command config expires_at host id loaded_at pid port settings since stalled ttl_ms version'),
  // What `requests` has by the minute, of the last minutes.
  ...named('sends', 'account amount since'),
  ...named('schema_versions', 'applied_at breaking version'),
  // Which life of which database it is in.
  ...named('series_life', 'life one'),
  // What is made anew of `record_terms`.
  ...named('search_index', 'grams record'),
  ...named('search_queue', 'record'),
  // Of a table of one row: its key.
  'ledger_begin.one',
  'runtime_revision.one',
  'steady_time.one',
  ...named('relocation', 'id other state'),
])

test('both kinds of store have the tables that are declared, and else only what is of their own', async () => {
  expect(byName(await columnsOfFile())).toEqual(byName(DECLARED))
  expect(byName(await columnsOfDatabase())).toEqual(byName(DECLARED))
})

test('a table is declared by its name', () => {
  expect(Object.entries(TABLES).map(([name, each]) => [name, each.name])).toEqual(
    COPIED_TABLES.map(({ name }) => [name, name]),
  )
})

test('a table says how its rows are written', () => {
  const things = table('things', ['a', 'b'], { a: TEXT, b: INTEGER, sent_at: INTEGER, next_edge_at: TEXT_OR_NULL })
  const names = 'a, b, sent_at, next_edge_at'
  const instead = 'ON CONFLICT (a, b) DO UPDATE SET sent_at = excluded.sent_at, next_edge_at = excluded.next_edge_at'
  expect(things.selected('row')).toBe('row.a, row.b, row.sent_at AS "sentAt", row.next_edge_at AS "nextEdgeAt"')
  expect(things.insert).toBe(`INSERT INTO things (${names}) VALUES (?, ?, ?, ?)`)
  expect(things.upsert).toBe(`INSERT INTO things (${names}) VALUES (:a, :b, :sentAt, :nextEdgeAt) ${instead}`)
  expect(things.only('a sent_at').unnested('the_')).toBe('unnest(:the_a::text[], :the_sent_at::bigint[])')
  expect(things.only('a sent_at').listed([{ a: 'x', sent_at: 1 }], 'the_')).toEqual({ the_a: ['x'], the_sent_at: [1] })
  expect(things.without('a', 'b').assigned('row')).toBe('sent_at = row.sent_at, next_edge_at = row.next_edge_at')
  expect(things.only('sent_at a').settings).toBe('sent_at = :sentAt, a = :a')
  expect(things.without('a').instead(['b'])).toBe(instead.replace('a, ', ''))
  expect(things.insertAll({ b: 'nextval()' }, 'given').replaceAll(/\s+/g, ' ')).toBe(
    `INSERT INTO things (${names}) SELECT a, nextval(), "sentAt", "nextEdgeAt" FROM json_to_recordset(:given::json) AS row (a text, b bigint, "sentAt" bigint, "nextEdgeAt" text)`,
  )
})

function named(of: string, names: string): readonly string[] {
  return names.split(' ').map((name) => `${of}.${name}`)
}

function byName(columns: readonly Column[]): ReadonlyMap<string, Column> {
  return new Map(columns.map((column) => [column.name, column]))
}

const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'bigint',
  TEXT: 'text',
  REAL: 'double precision',
  BLOB: 'bytea',
}

async function columnsOfFile(): Promise<readonly Column[]> {
  const columns: Column[] = []
  await withFolder(async (folder) => {
    putEmptyStore(`${folder}/shipbell.db`)
    const sqlite = new Sqlite(`${folder}/shipbell.db`, { readonly: true })
    const all = sqlite.prepare<[], { name: string; type: string; required: number; pk: number }>(`
      SELECT tables.name || '.' || columns.name AS name, columns.type, columns."notnull" AS required, columns.pk
      FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name) AS columns
      WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite_%'
        -- An index that SQLite keeps in tables of its own.
        AND tables.name NOT LIKE 'search_index%'`)
    for (const { name, pk, required, type } of all.all())
      columns.push({ name, type: TYPES[type], isNullable: required + pk === 0, key: pk === 0 ? null : pk })
    sqlite.close()
  })
  return columns.filter(({ name }) => !OF_FILES.has(name))
}

const COLUMNS = new Query<{ name: string; type: string; required: boolean; key: number | null }>(`
  SELECT relname || '.' || attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull AS required,
    array_position(indkey::int2[], attnum) AS key
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped`)

async function columnsOfDatabase(): Promise<readonly Column[]> {
  const databases = await postgresDatabases()
  const url = await databases.take()
  await using db = new Database({ url, pool: 1 })
  const rows = await db.all(COLUMNS)
  const columns = rows.map(({ key, name, required, type }) => {
    // Places of an index are numbered from 0.
    return { name, type, isNullable: !required, key: key === null ? null : key + 1 }
  })
  return columns.filter(({ name }) => !OF_DATABASES.has(name))
}
