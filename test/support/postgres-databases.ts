import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { Client } from 'pg'
import { Database } from '../../src/store/postgres/database.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { PostgresServer } from './postgres-server.ts'

/** Databases of one server, each with an empty store. A new one is a copy of a template; one that was given back is emptied. */
export interface PostgresDatabases {
  /** The address of one that nobody else uses. */
  readonly take: () => Promise<string>
  /** Nobody may have it open any more. */
  readonly giveBack: (url: string) => Promise<void>
}

/** To empty them costs a few milliseconds, a copy hundreds. What a migration puts into a new store is put there again. */
const EMPTY = `
  DO $$ DECLARE name text; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_versions' LOOP
      EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    INSERT INTO ledger_begin VALUES (NULL);
    INSERT INTO steady_time VALUES (0, 0);
  END $$`

let shared: Promise<PostgresDatabases> | null = null

/** Of `SHIPBELL_TEST_POSTGRES`, the address of a server whose user may create databases, or of a server of this process. */
export async function postgresDatabases(): Promise<PostgresDatabases> {
  shared ??= open()
  return await shared
}

async function open(): Promise<PostgresDatabases> {
  const given = process.env['SHIPBELL_TEST_POSTGRES']
  const root = given ?? (await startedUrl())
  const template = `shipbell_template_${randomBytes(4).toString('hex')}`
  await execute(root, `CREATE DATABASE ${template}`)
  {
    await using db = new Database({ url: named(root, template), pool: 1 })
    await migrate(db)
  }
  const free: string[] = []
  return {
    take: async () => {
      const emptied = free.pop()
      if (emptied !== undefined) return emptied
      const name = `shipbell_${randomBytes(6).toString('hex')}`
      await execute(root, `CREATE DATABASE ${name} TEMPLATE ${template}`)
      return named(root, name)
    },
    giveBack: async (url) => {
      await execute(url, EMPTY)
      free.push(url)
    },
  }
}

async function startedUrl(): Promise<string> {
  const server = await PostgresServer.start()
  process.once('exit', () => {
    if (server.pid !== undefined) process.kill(server.pid, 'SIGQUIT')
    rmSync(server.folder, { recursive: true, force: true })
  })
  return server.url()
}

function named(url: string, database: string): string {
  const [base = '', query] = url.split('?', 2)
  const at = base.indexOf('/', 'postgres://'.length)
  return `${at === -1 ? base : base.slice(0, at)}/${database}${query === undefined ? '' : `?${query}`}`
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
