import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { Stage } from '../pipeline/stage.ts'
import { baselined, stopped } from '../pipeline/workplace.ts'
import { freePort } from '../support/free-port.ts'
import { PostgresServer } from '../support/postgres-server.ts'

const COUNT = new Query('UPDATE counted SET amount = amount + 1')
const COUNTED = new Query<{ amount: number }>('SELECT amount FROM counted')

/** Databases and roles as somebody else has set them up. */
let server: PostgresServer
let port: number
let made = 0

beforeAll(async () => {
  port = await freePort()
  server = await PostgresServer.start({ port })
})

afterAll(async () => await server[Symbol.asyncDispose]())

async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

interface Oddity {
  /** Of CREATE DATABASE. */
  readonly database?: string
  /** Of ALTER ROLE. */
  readonly role?: readonly string[]
  /** Statements within the database. */
  readonly inside?: readonly string[]
}

/** The address of a new database, for a role that owns nothing but may create in `public`, unless `inside` says otherwise. */
async function databaseWith({ database = '', inside = [], role = [] }: Oddity): Promise<string> {
  made += 1
  const name = `odd_${made}`
  await execute(
    server.url(),
    `CREATE ROLE ${name} LOGIN`,
    ...role.map((each) => `ALTER ROLE ${name} ${each}`),
    `CREATE DATABASE ${name} ${database}`,
  )
  await execute(
    server.url(name),
    `GRANT CREATE ON SCHEMA public TO ${name}`,
    ...inside.map((each) => each.replaceAll('ROLE', name)),
  )
  return `postgres://${name}@127.0.0.1:${port}/${name}`
}

async function atWork(url: string, work: (stage: Stage) => Promise<void>): Promise<void> {
  await using stage = await Stage.open({ more: `storage: { url: "${url}" }` })
  await work(stage)
}

const WORKS: Readonly<Record<string, Oddity>> = {
  'idle connections and long statements are ended': {
    role: [`SET idle_session_timeout = '200ms'`, `SET statement_timeout = '1s'`],
  },
  'sessions begin with other settings': {
    role: [
      'SET standard_conforming_strings = off',
      `SET TimeZone = 'Asia/Kolkata'`,
      `SET DateStyle = 'SQL, DMY'`,
      `SET bytea_output = 'escape'`,
      'SET extra_float_digits = -15',
      'SET array_nulls = off',
      'SET transform_null_equals = on',
      'SET exit_on_error = on',
      `SET lock_timeout = '1ms'`,
      `SET IntervalStyle = 'sql_standard'`,
      `SET backslash_quote = 'off'`,
      'SET jit_above_cost = 0',
      'SET parallel_setup_cost = 0',
      'SET min_parallel_table_scan_size = 0',
    ],
  },
  'tables are made in another schema': {
    inside: ['CREATE SCHEMA elsewhere AUTHORIZATION ROLE'],
    role: ['SET search_path = elsewhere'],
  },
  'the role has a schema of its own': {
    inside: ['REVOKE CREATE ON SCHEMA public FROM ROLE', 'CREATE SCHEMA AUTHORIZATION ROLE'],
  },
}

test.concurrent.each(Object.entries(WORKS))('a database where %s works', async (_, oddity) => {
  await atWork(await databaseWith(oddity), async ({ receiver, work }) => {
    const daemon = work.start('run')
    await baselined(receiver)
    const { code, stderr } = await work.run('status')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await stopped(daemon)
    expect(daemon.stderr + daemon.stdout).not.toMatch(/store_unusable|"level":"error"/)
  })
})

test.concurrent('a worker takes the connections that it gets, and a command says that none is left', async () => {
  const url = await databaseWith({ role: ['CONNECTION LIMIT 3'] })
  await atWork(url, async ({ receiver, work }) => {
    const daemon = work.start('run')
    await baselined(receiver)
    const { code, stderr } = await work.run('status')
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        /has no connection left \(too many connections for role "odd_\d+"\): allow more, or/,
      ),
    })
    await stopped(daemon)
    expect(daemon.stderr).not.toMatch(/store_unusable|failed/)
  })
})

test.concurrent('work waits for the connections that there are', async () => {
  const url = await databaseWith({ role: ['CONNECTION LIMIT 2'] })
  await using db = new Database({ url, pool: 8 })
  await db.write(async (tx) => await tx.script('CREATE TABLE counted AS SELECT 0 AS amount'))
  await Promise.all(Array.from({ length: 200 }, async () => await db.write(async (tx) => await tx.run(COUNT))))
  expect(await db.one(COUNTED)).toEqual({ amount: 200 })
})

const REFUSED: readonly (readonly [string, Oddity, RegExp])[] = [
  ['SQL_ASCII', { database: `ENCODING 'SQL_ASCII' TEMPLATE template0` }, /has the encoding SQL_ASCII: create one with/],
  ['LATIN1', { database: `ENCODING 'LATIN1' TEMPLATE template0` }, /has the encoding LATIN1: create one with/],
  [
    'serializable transactions',
    { role: ['SET default_transaction_isolation = serializable'] },
    /has serializable as default_transaction_isolation: set read committed for the user in storage\.url, by ALTER ROLE/,
  ],
  [
    'a role that may create nothing',
    { inside: ['REVOKE CREATE ON SCHEMA public FROM ROLE'] },
    /refuses \(permission denied for schema public\): check the user, the password and their rights in storage\.url/,
  ],
  [
    'a search path that leads nowhere',
    { role: ['SET search_path = nowhere'] },
    /has no schema for the tables: create the one that search_path of its user names/,
  ],
  [
    'tables of another program',
    { inside: ['CREATE TABLE customers ()'] },
    /has tables of another program: name an empty/,
  ],
]

test.concurrent.each(REFUSED)('a database with %s is refused in one sentence', async (_, oddity, sentence) => {
  await atWork(await databaseWith(oddity), async ({ work }) => {
    for (const command of ['run', 'once']) {
      const { code, stderr } = await work.run(command)
      expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 3, lines: 2 })
      expect(stderr).toMatch(new RegExp(`^The database 127\\.0\\.0\\.1:${port}/odd_\\d+ ${sentence.source}.*\\.\n$`))
    }
  })
})
