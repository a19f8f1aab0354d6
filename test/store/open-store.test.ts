import { readFileSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { setegid, seteuid } from 'node:process'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { storeFailure } from '../../src/store/file/store-file.ts'
import { worldShipment } from '../bench/world-shipment.ts'
import { withFolder } from './folder.ts'
import { refusal } from './refusal.ts'
import { batch, ring, sampleEvent, sampleState, success, T, write } from './samples.ts'
import { lengthenLog, logOf } from './store-log.ts'

const NOBODY = 65_534

/** Permissions do not bind root: where the tests run as root, `work` runs as nobody. */
async function unprivileged(folder: string, work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work()
  for (const path of [folder, ...(await readdir(folder)).map((name) => `${folder}/${name}`)]) {
    await chown(path, NOBODY, NOBODY)
  }
  setegid?.(NOBODY)
  seteuid?.(NOBODY)
  try {
    await work()
  } finally {
    seteuid?.(0)
    setegid?.(0)
  }
}

async function fill(store: Store, seen = sampleState('SHP-1').seen): Promise<void> {
  await store.commit(batch({ records: [write(sampleState('SHP-1', { seen, reported: seen }))] }))
}

const LONG = worldShipment(1)

function change(path: string, sql: string): void {
  const db = new Sqlite(path)
  expect(db.prepare(sql).run().changes).toBe(1)
  db.close()
}

function count(path: string, table: string): unknown {
  const db = new Sqlite(path)
  const amount = db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  db.close()
  return amount
}

describe('opening a store', () => {
  test('creates files that only their owner can read', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await using store = openStore({ path })
      await fill(store)
      const files = await readdir(folder)
      expect(files.sort()).toEqual(['shipbell.db', 'shipbell.db-shm', 'shipbell.db-wal'])
      for (const file of files) expect((await stat(`${folder}/${file}`)).mode & 0o777).toBe(0o600)
    })
  })

  test('finds again what was written before', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      {
        await using store = openStore({ path })
        await fill(store)
      }
      await using store = openStore({ path })
      expect((await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1')).toEqual(sampleState('SHP-1'))
    })
  })

  test('two open stores see each other', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await using one = openStore({ path })
      await using two = openStore({ path })
      await one.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      await ring(one, [sampleEvent('evt_1')], ['erp'])
      await ring(two, [sampleEvent('evt_2')], ['erp'])
      expect((await one.event('evt_2'))?.sequence).toBe(2)
      const slots = new Map([['erp', 1]])
      const request = { now: T, leaseMs: 1_000, slots }
      const [first] = await one.claim({ ...request, owner: 'one' })
      await one.settle('one', [{ id: first?.id ?? '', attempt: success(), result: { kind: 'delivered' } }])
      const [second] = await two.claim({ ...request, owner: 'two' })
      expect([first?.event.id, second?.event.id]).toEqual(['evt_1', 'evt_2'])
    })
  })

  test('for questions only refuses what writes, and never creates a file', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      expect(refusal(() => openStore({ path, readonly: true }))).toMatchObject({
        code: 'store_unusable',
        message: `There is no store at ${path} yet: start \`shipbell run\` first, or correct storage.path.`,
      })
      expect(await readdir(folder)).toEqual([])
      await using writer = openStore({ path })
      await fill(writer)
      await using store = openStore({ path, readonly: true })
      expect((await store.accounts(0)).map(({ account }) => account)).toEqual(['acme'])
      await expect(store.assertWritable()).rejects.toMatchObject({ code: 'store_unusable' })
      await expect(fill(store)).rejects.toMatchObject({ code: 'store_unusable' })
    })
  })

  test('refuses a folder that is missing and a path that is one', async () => {
    await withFolder(async (folder) => {
      expect(refusal(() => openStore({ path: `${folder}/none/shipbell.db` }))).toMatchObject({
        code: 'store_unusable',
        message: `The folder ${folder}/none of the store does not exist: create it, or correct storage.path.`,
      })
      await mkdir(`${folder}/folder.db`)
      expect(refusal(() => openStore({ path: `${folder}/folder.db` }))).toMatchObject({
        code: 'store_unusable',
        message: `${folder}/folder.db is not a file: name a file in storage.path.`,
      })
    })
  })

  test('refuses a file that is no database, and leaves it alone', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await writeFile(path, 'accounts:\n'.repeat(500))
      expect(refusal(() => openStore({ path }))).toMatchObject({
        code: 'store_unusable',
        message: `The file ${path} is not a Shipbell store: name another file in storage.path.`,
      })
      expect(await readFile(path, 'utf8')).toBe('accounts:\n'.repeat(500))
    })
  })

  test('refuses the database of another program', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      new Sqlite(path).exec('CREATE TABLE theirs (x)').close()
      expect(refusal(() => openStore({ path }))).toMatchObject({
        code: 'store_unusable',
        message: `The file ${path} is a database of another program: name another file in storage.path.`,
      })
    })
  })

  test('refuses the store of a newer Shipbell, for questions too', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await openStore({ path })[Symbol.asyncDispose]()
      const raw = new Sqlite(path)
      raw.pragma('user_version = 9999')
      raw.close()
      for (const readonly of [false, true]) {
        const error = refusal(() => openStore({ path, readonly }))
        expect(error.code).toBe('store_newer')
        expect(error.message).toContain('schema 9999')
      }
    })
  })

  test('brings a store of the first schema up to date, with all that it knows of its lists', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      const raw = new Sqlite(path)
      raw.exec(readFileSync(new URL('../../src/store/file/migrations/0001-first-store.sql', import.meta.url), 'utf8'))
      raw.pragma('user_version = 1')
      raw.exec(`INSERT INTO accounts (account) VALUES ('acme');
        INSERT INTO lists (account, resource, pass, pass_started_at, completed_at, baselined_at, largest_page, baseline_pass)
        VALUES ('acme', 'shipment', 7, 100, 200, 50, 100, 1)`)
      raw.close()
      await using store = openStore({ path })
      const known = { pass: 7, completedAt: 200, baselinedAt: 50, largestPage: 100, endProbe: null }
      expect(await store.listState('acme', 'shipment')).toMatchObject(known)
      expect((await store.listState('acme', 'shipment')).validatorsLie).toBe(false)
    })
  })

  test('for questions only makes no store of an empty file', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await writeFile(path, '')
      const error = refusal(() => openStore({ path, readonly: true }))
      expect(error.code).toBe('store_unusable')
      expect(error.message).toContain('is empty')
    })
  })

  test('a damaged file is told at the first thing that meets the damage', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      {
        await using store = openStore({ path })
        await fill(store)
      }
      const bytes = await readFile(path)
      await writeFile(path, bytes.fill(0x5a, 4096))
      const met = async () => {
        await using store = openStore({ path })
        await store.records('acme', 'shipment', ['SHP-1'])
      }
      await expect(met()).rejects.toMatchObject({
        code: 'store_unusable',
        message: expect.stringMatching(/^The store .+ is damaged \(.+\): restore a backup, or move the file away/),
      })
      await truncate(path, 100)
      expect(refusal(() => openStore({ path })).code).toBe('store_unusable')
    })
  })

  test.for([
    { what: 'a damaged document', set: "content = CAST(x'00' || substr(content, 2) AS BLOB)", code: 'store_unusable' },
    { what: 'a document that was cut', set: 'content = substr(content, 1, 40)', code: 'store_unusable' },
    { what: 'a document in a form that a newer Shipbell wrote', set: 'codec = 99', code: 'store_newer' },
  ])('$what is told, and what to do', async ({ set, code }) => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await using store = openStore({ path })
      await fill(store, LONG)
      change(path, `UPDATE bodies SET ${set} WHERE codec = 1`)
      await expect(store.records('acme', 'shipment', ['SHP-1'])).rejects.toMatchObject({
        code,
        message: expect.stringMatching(
          /^The store .+ holds document.+: (restore a backup\.|update Shipbell, or restore)/,
        ),
      })
    })
  })

  test('what is committed goes from the log to the file a moment later, not while whoever commits waits', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await using store = openStore({ path })
      lengthenLog(path)
      await fill(store)
      const { log, checkpointed } = logOf(path)
      expect([log > 4_000, checkpointed]).toEqual([true, 0])
      await expect.poll(() => logOf(path).checkpointed).toBe(log)
    })
  })

  test('a document that was stored as it came is read, known again where it was loaded from, and told in events', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await using store = openStore({ path })
      await fill(store, LONG)
      change(path, `UPDATE bodies SET codec = 0, content = CAST('${JSON.stringify(LONG)}' AS BLOB)`)
      const object = (await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1')?.seen ?? null
      expect(object).toEqual(LONG)
      await store.commit(batch({ events: [sampleEvent('evt_1', { object, before: null })] }))
      expect((await store.event('evt_1'))?.object).toEqual(LONG)
      expect(count(path, 'bodies')).toBe(1)
    })
  })

  test('refuses a file and a folder that this user may not write', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await openStore({ path })[Symbol.asyncDispose]()
      await chmod(path, 0o400)
      await unprivileged(folder, async () => {
        const error = refusal(() => openStore({ path }))
        expect(error.code).toBe('store_unusable')
        expect(error.message).toMatch(
          /cannot be opened or written .*: give this user access to the file and its folder\.$/,
        )
      })
      await chmod(path, 0o600)
      await chmod(folder, 0o500)
      await unprivileged(folder, async () => {
        expect(refusal(() => openStore({ path })).message).toMatch(/cannot be opened or written/)
      })
      await unprivileged(folder, async () => {
        const error = refusal(() => openStore({ path: `${folder}/other.db` }))
        expect(error.code).toBe('store_unusable')
        expect(error.message).toMatch(/cannot be created .*: make its folder writable for this user/)
      })
      // Who is no root could not tidy up.
      await chmod(folder, 0o700)
    })
  })
})

describe('an open store', () => {
  test('tells in one sentence that the disk is full', async () => {
    await withFolder(async (folder) => {
      const raw = new Sqlite(`${folder}/full.db`)
      raw.exec('CREATE TABLE t (x)')
      raw.pragma('max_page_count = 3')
      const error = refusal(() => {
        try {
          raw.prepare('INSERT INTO t VALUES (zeroblob(100000))').run()
        } catch (failure) {
          throw storeFailure(failure, `${folder}/full.db`)
        }
      })
      raw.close()
      expect(error.code).toBe('store_unusable')
      expect(error.message).toContain('the disk is full')
    })
  })

  test('that another program has locked is told after a while', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await using store = openStore({ path, busyTimeoutMs: 20 })
      const raw = new Sqlite(path)
      raw.exec('BEGIN IMMEDIATE')
      await expect(store.assertWritable()).rejects.toMatchObject({
        code: 'store_unusable',
        message: expect.stringContaining('is locked by another program'),
      })
      raw.close()
      await expect(store.assertWritable()).resolves.toBeUndefined()
    })
  })

  test('that was closed says so', async () => {
    await withFolder(async (folder) => {
      const store = openStore({ path: `${folder}/shipbell.db` })
      await store[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      await expect(store.accounts(0)).rejects.toMatchObject({ code: 'store_unusable' })
    })
  })

  test.each(['this store', 'another connection'])(
    'stores a loaded document again that %s has dropped since',
    async (who) => {
      await withFolder(async (folder) => {
        const path = `${folder}/shipbell.db`
        await using store = openStore({ path })
        const move = (id: string, seen: { status: string }, expectedVersion: number | null) =>
          store.commit(batch({ records: [write(sampleState(id, { seen, reported: seen }), { expectedVersion })] }))
        const tell = (id: string, object: JsonObject | null) =>
          store.commit(batch({ events: [sampleEvent(id, { object, before: null })] }))
        await move('A', { status: 'booked' }, null)
        await move('B', { status: 'draft' }, null)
        // From the second commit on it is known whether somebody else wrote.
        const object = (await store.records('acme', 'shipment', ['A'])).get('A')?.seen ?? null
        await tell('evt_1', object)
        expect(count(path, 'bodies')).toBe(2)
        const loaded = (await store.records('acme', 'shipment', ['B'])).get('B')?.seen ?? null
        if (who === 'this store') await move('B', { status: 'later' }, 0)
        else change(path, `DELETE FROM bodies WHERE ref = (SELECT seen_body FROM records WHERE id = 'B')`)
        await tell('evt_2', loaded)
        await tell('evt_3', object)
        expect((await store.event('evt_2'))?.object).toEqual({ status: 'draft' })
        expect((await store.event('evt_3'))?.object).toEqual({ status: 'booked' })
        expect(count(path, 'bodies')).toBe(who === 'this store' ? 3 : 2)
      })
    },
  )

  test('stores a document once, and drops it when nothing points at it any more', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await using store = openStore({ path })
      const raw = new Sqlite(path, { readonly: true })
      const bodies = () =>
        raw
          .prepare<[], { content: Buffer }>('SELECT content FROM bodies ORDER BY ref')
          .all()
          .map(({ content }) => content.toString())
      const first = { status: 'draft' }
      await store.commit(
        batch({ records: ['A', 'B'].map((id) => write(sampleState(id, { seen: first, reported: first }))) }),
      )
      expect(bodies()).toEqual(['{"status":"draft"}'])

      const move = (id: string, seen: { status: string }, event?: string) =>
        store.commit(
          batch({
            records: [write(sampleState(id, { seen, reported: seen }), { expectedVersion: 0 })],
            events: event === undefined ? [] : [sampleEvent(event, { object: seen, before: first })],
          }),
        )
      await move('A', { status: 'booked' })
      expect(bodies()).toEqual(['{"status":"draft"}', '{"status":"booked"}'])
      await move('A', { status: 'silent' })
      expect(bodies()).toEqual(['{"status":"draft"}', '{"status":"silent"}'])
      await move('B', { status: 'told' }, 'evt_1')
      await move('B', { status: 'later' })
      expect(bodies()).toEqual(['{"status":"draft"}', '{"status":"silent"}', '{"status":"told"}', '{"status":"later"}'])
      expect(await store.event('evt_1')).toMatchObject({ object: { status: 'told' }, before: first })
      raw.close()
    })
  })
})
