import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { Database } from '../../src/store/server/database.ts'
import { migrate } from '../../src/store/server/migrate.ts'
import { PostgresServer } from './postgres-server.ts'

/** Databases of one server, each with an empty store. A new one is a copy of a template; one that was given back is emptied. */
export interface PostgresDatabases {
  /** The address of one that nobody else uses. */
  readonly take: () => Promise<string>
  /** For whoever keeps it open. Nobody may be at work in it. */
  readonly empty: (url: string) => Promise<void>
  /** Nobody may have it open any more. */
  readonly giveBack: (url: string) => Promise<void>
}

interface DatabasesOptions {
  /** Of a server whose user may create databases. */
  readonly root: string
  /** Databases are reached by this port of 127.0.0.1, where a pooler listens; left out: as `root` is. */
  readonly pooler?: number
}

/** A table that has had more rows begins anew: what is deleted is read over until somebody vacuums it, which takes a minute at best. */
const MANY_ROWS = 200
/**
 * To empty one takes a millisecond where connection and plans are kept, a copy hundreds. What a migration puts into a new store is
 * put there again.
 */
const PREPARE_TO_EMPTY = `
  SET session_replication_role = replica;
  DO $$ BEGIN
    EXECUTE (
      SELECT format('CREATE FUNCTION pg_temp.make_empty() RETURNS void LANGUAGE plpgsql AS %L', concat(
        'DECLARE deleted bigint; BEGIN ',
        string_agg(format('DELETE FROM %1$I; GET DIAGNOSTICS deleted = ROW_COUNT;
          IF deleted > ${MANY_ROWS} THEN TRUNCATE %1$I CASCADE; END IF; ', tablename), ''),
        'INSERT INTO ledger_begin VALUES (NULL); INSERT INTO steady_time VALUES (0, 0); INSERT INTO runtime_revision VALUES (0); END'))
      FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_versions');
  END $$`
const EMPTY = 'SELECT pg_temp.make_empty()'

let shared: Promise<PostgresDatabases> | null = null

/** Of the server at `SHIPBELL_TEST_POSTGRES`, or else of one that this process starts. */
export async function postgresDatabases(): Promise<PostgresDatabases> {
  shared ??= open()
  return await shared
}

/** For all tests of this process, before the first. */
export async function takeDatabasesOf(options: DatabasesOptions): Promise<void> {
  shared = openOf(options)
  await shared
}

async function open(): Promise<PostgresDatabases> {
  return await openOf({ root: process.env['SHIPBELL_TEST_POSTGRES'] ?? (await startedUrl()) })
}

async function openOf({ pooler, root }: DatabasesOptions): Promise<PostgresDatabases> {
  const template = `shipbell_template_${randomBytes(4).toString('hex')}`
  await execute(root, `CREATE DATABASE ${template}`)
  {
    await using db = new Database({ url: named(root, template), pool: 1 })
    await migrate(db)
  }
  const emptiers = new Map<string, Emptier>()
  const free: string[] = []
  const empty = async (url: string): Promise<void> => await emptiers.get(url)?.empty()
  return {
    take: async () => {
      const emptied = free.pop()
      if (emptied !== undefined) return emptied
      const name = `shipbell_${randomBytes(6).toString('hex')}`
      await execute(root, `CREATE DATABASE ${name} TEMPLATE ${template}`)
      const url = pooler === undefined ? named(root, name) : `postgres://shipbell@127.0.0.1:${pooler}/${name}`
      emptiers.set(url, new Emptier(named(root, name)))
      return url
    },
    empty,
    giveBack: async (url) => {
      await empty(url)
      free.push(url)
    },
  }
}

/** Keeps its connection, unless somebody ends it. */
class Emptier {
  readonly #url: string
  #client: Client | null = null

  constructor(url: string) {
    this.#url = url
  }

  async empty(): Promise<void> {
    this.#client ??= await this.#connect()
    await this.#client.query(EMPTY)
  }

  async #connect(): Promise<Client> {
    const client = new Client({ connectionString: this.#url })
    client.on('error', () => (this.#client = null))
    await client.connect()
    await client.query(PREPARE_TO_EMPTY)
    return client
  }
}

async function startedUrl(): Promise<string> {
  const server = await PostgresServer.start()
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
