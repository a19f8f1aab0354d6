import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import { describe, expect, test, vi } from 'vitest'
import { Connection } from '../../src/store/file/connection.ts'
import { migrate } from '../../src/store/file/migrate.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { lockStore } from '../../src/store/file/store-lock.ts'
import { withFolder } from './folder.ts'
import { keptStore, keptVersions } from './kept-stage.ts'

const MIGRATIONS = new URL('../../src/store/file/migrations/', import.meta.url)
const OF_POSTGRES = new URL('../../src/store/server/migrations/', import.meta.url)
const SLOW = fileURLToPath(new URL('slow-migration.ts', import.meta.url))

/** Of what was released: such a file is never changed, what it left undone is for the next one. */
const RELEASED: Readonly<Record<string, string>> = {
  '0001-first-store.sql': 'ef61994cd2d0baa874f42ff4a02d53e360bbfc091e8346c553b9010fc1361290',
}

function questions(path: string, ...asked: readonly string[]): readonly unknown[] {
  const db = new Sqlite(path, { readonly: true })
  try {
    return asked.map((sql) => db.prepare(sql).all())
  } finally {
    db.close()
  }
}

const SCHEMA = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name'
const VERSION = 'PRAGMA user_version'

/** A store of today, and a folder with today's migrations and another one. */
async function withNext(sql: string, work: (next: Next) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    await writeFile(path, keptStore('0001'), { mode: 0o600 })
    await openStore({ path })[Symbol.asyncDispose]()
    await mkdir(`${folder}/migrations`)
    await cp(MIGRATIONS, `${folder}/migrations`, { recursive: true })
    const file = `${folder}/migrations/9000-next.sql`
    await writeFile(file, sql)
    const apply = (locked: boolean): void => {
      const db = new Connection(path, { readonly: false, busyTimeoutMs: 1_000 })
      try {
        migrate(db, { locked, folder: pathToFileURL(`${folder}/migrations/`) })
      } finally {
        db[Symbol.dispose]()
      }
    }
    await work({ path, folder: `${folder}/migrations`, file, apply })
  })
}

interface Next {
  readonly path: string
  readonly folder: string
  readonly file: string
  readonly apply: (locked: boolean) => void
}

describe('the migrations', () => {
  test.for([MIGRATIONS, OF_POSTGRES])(
    'are numbered without a gap, and none has the number of another: %s',
    (folder) => {
      const numbers = readdirSync(folder).map((file) => Number(file.slice(0, 4)))
      const first = folder === MIGRATIONS ? 1 : (numbers[0] ?? 0)
      expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => first + index))
    },
  )

  test.for(Object.entries(RELEASED))('%s is as it was released', ([file, digest]) => {
    expect(
      createHash('sha256')
        .update(readFileSync(new URL(file, MIGRATIONS)))
        .digest('hex'),
    ).toBe(digest)
  })

  test.for(keptVersions())('make of a store of schema %s what a new store is, whole', async (version) => {
    await withFolder(async (folder) => {
      const [old, fresh] = [`${folder}/old.db`, `${folder}/fresh.db`]
      await writeFile(old, keptStore(version), { mode: 0o600 })
      expect(questions(old, VERSION)).toEqual([[{ user_version: Number(version) }]])
      for (const path of [old, fresh]) await openStore({ path })[Symbol.asyncDispose]()
      const emitted = [SCHEMA, VERSION, 'PRAGMA application_id']
      expect(questions(old, ...emitted)).toEqual(questions(fresh, ...emitted))
      expect(questions(old, 'PRAGMA integrity_check', 'PRAGMA foreign_key_check')).toEqual([
        [{ integrity_check: 'ok' }],
        [],
      ])
    })
  })
})

describe('a migration', () => {
  test('that fails has done nothing, and the next start tries it again', async () => {
    await withNext('CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);', async ({ path, file, apply }) => {
      const before = questions(path, SCHEMA, VERSION)
      expect(() => apply(true)).toThrow(/no such table: nowhere/)
      expect(questions(path, SCHEMA, VERSION)).toEqual(before)
      await writeFile(file, 'CREATE TABLE half (x) STRICT')
      expect(() => apply(true)).toThrow(/half/)
      await writeFile(file, 'CREATE TABLE half (x TEXT) STRICT')
      apply(true)
      expect(questions(path, VERSION)).toEqual([[{ user_version: 9_000 }]])
    })
  })

  test('that is killed has done nothing', async () => {
    const sql = `CREATE TABLE half (x BLOB);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)
      INSERT INTO half SELECT randomblob(1000) FROM n`
    await withNext(sql, async ({ path, folder }) => {
      const before = questions(path, SCHEMA, VERSION, 'SELECT id FROM events ORDER BY ref')
      const child = spawn(process.execPath, [SLOW, path, folder], { stdio: 'inherit' })
      const exit = once(child, 'exit')
      const logged = (): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
      await vi.waitFor(() => expect(logged()).toBeGreaterThan(1_000_000), { timeout: 20_000, interval: 5 })
      child.kill('SIGKILL')
      await exit
      expect(child.signalCode).toBe('SIGKILL')
      await openStore({ path })[Symbol.asyncDispose]()
      expect(questions(path, SCHEMA, VERSION, 'SELECT id FROM events ORDER BY ref')).toEqual(before)
    })
  })

  test('that makes a table anew takes no row with it that refers to it', async () => {
    const sql = `CREATE TABLE kept AS SELECT * FROM deliveries; DROP TABLE deliveries; ALTER TABLE kept RENAME TO deliveries`
    await withNext(sql, async ({ path, apply }) => {
      const amount = 'SELECT count(*) AS attempts FROM attempts'
      const before = questions(path, amount)
      expect(before).not.toEqual([[{ attempts: 0 }]])
      apply(true)
      expect(questions(path, amount)).toEqual(before)
    })
  })

  test('waits for the daemon of an older Shipbell to end, who would not know the new schema', async () => {
    await withNext('CREATE TABLE more (x TEXT) STRICT', async ({ path, apply }) => {
      const daemon = lockStore(path, { pid: 7, command: 'run', since: '2026-11-21T08:00:00.000Z', host: 'here' })
      expect(() => apply(false)).toThrow(/is in use by process 7 on here \(run, since .+\): stop that process first/)
      daemon[Symbol.dispose]()
      apply(false)
      expect(questions(path, VERSION)).toEqual([[{ user_version: 9_000 }]])
    })
  })
})
