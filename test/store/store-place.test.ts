import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, readdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import { lockStore } from '../../src/store/file/store-lock.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { withFolder } from './folder.ts'
import { refusal } from './refusal.ts'
import { batch, sampleState, write } from './samples.ts'

const ME = { pid: 4711, command: 'shipbell once', since: '2026-11-21T09:00:00.000Z', host: 'here' }
const LOST =
  /^The store .+ was deleted, moved or replaced while it was open: put that very file back, or end the process/

const record = (id: string) => batch({ records: [write(sampleState(id))] })

/** Works on an open store, and what its `onLost` was told. */
async function withStore(work: (stage: { path: string; folder: string; lost: string[] } & Opened) => Promise<void>) {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    const lost: string[] = []
    putEmptyStore(path)
    await using store = openStore({ path, onLost: ({ message }) => lost.push(message) })
    await store.commit(record('SHP-1'))
    await work({ path, folder, lost, store })
  })
}

interface Opened {
  readonly store: ReturnType<typeof openStore>
}

describe('a store that is open', () => {
  const ways: Readonly<Record<string, (path: string) => Promise<void>>> = {
    deleted: async (path) => unlink(path),
    moved: async (path) => rename(path, `${path}.old`),
    replaced: async (path) => {
      await copyFile(path, `${path}.copy`)
      await rename(`${path}.copy`, path)
    },
  }

  test.for(Object.entries(ways))('commits nothing once it is %s, and says what to do', async ([, lose]) => {
    await withStore(async ({ path, store, lost }) => {
      await lose(path)
      const refused = { code: 'store_unusable', message: expect.stringMatching(LOST) }
      await expect(store.commit(record('SHP-2'))).rejects.toMatchObject(refused)
      await expect(store.assertInPlace()).rejects.toMatchObject(refused)
      await expect(store.assertWritable()).rejects.toMatchObject(refused)
      expect(lost).toEqual([expect.stringMatching(LOST), expect.stringMatching(LOST), expect.stringMatching(LOST)])
      expect([...(await store.records('acme', 'shipment', ['SHP-1', 'SHP-2'])).keys()]).toEqual(['SHP-1'])
    })
  })

  test('goes on once the very file is back', async () => {
    await withStore(async ({ path, store, lost }) => {
      await rename(path, `${path}.old`)
      await expect(store.commit(record('SHP-2'))).rejects.toMatchObject({ code: 'store_unusable' })
      await rename(`${path}.old`, path)
      await store.commit(record('SHP-2'))
      await store.assertInPlace()
      expect(lost).toHaveLength(1)
    })
  })

  test('notices that the link it was reached by leads elsewhere', async () => {
    await withFolder(async (folder) => {
      for (const name of ['a.db', 'b.db']) putEmptyStore(`${folder}/${name}`)
      await symlink(`${folder}/a.db`, `${folder}/link.db`)
      await using store = openStore({ path: `${folder}/link.db` })
      await store.assertWritable()
      await rm(`${folder}/link.db`)
      await symlink(`${folder}/b.db`, `${folder}/link.db`)
      await expect(store.assertWritable()).rejects.toMatchObject({ message: expect.stringMatching(LOST) })
    })
  })

  test('commits nothing once its log is deleted, and loses nothing of it when it is closed', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      {
        await using store = openStore({ path })
        await store.commit(record('SHP-1'))
        await unlink(`${path}-wal`)
        await expect(store.commit(record('SHP-2'))).rejects.toMatchObject({
          code: 'store_unusable',
          message: expect.stringMatching(/^The log .+-wal of the store was deleted, .+: stop the process/),
        })
      }
      await using store = openStore({ path })
      expect([...(await store.records('acme', 'shipment', ['SHP-1', 'SHP-2'])).keys()]).toEqual(['SHP-1'])
    })
  })

  test('is still read by who only asks, whatever became of the file', async () => {
    await withStore(async ({ path }) => {
      await using reader = openStore({ path, readonly: true })
      await rename(path, `${path}.old`)
      expect((await reader.records('acme', 'shipment', ['SHP-1'])).size).toBe(1)
    })
  })

  test('is not mixed with another file that was put in its place: nobody opens that until the holder has ended', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      {
        using lock = lockStore(path, ME)
        await using store = openStore({ path, locked: true })
        lock.nameStore()
        await store.commit(record('SHP-1'))
        await openStore({ path })[Symbol.asyncDispose]()
        await rename(path, `${path}.old`)
        await copyFile(`${path}.old`, path)
        for (const readonly of [false, true]) {
          expect(refusal(() => openStore({ path, readonly }))).toMatchObject({
            code: 'store_locked',
            message: expect.stringMatching(
              /^Process 4711 .+ has another file open .+: put that very file back, or stop/,
            ),
          })
        }
        await rename(`${path}.old`, path)
        await using again = openStore({ path, readonly: true })
        expect((await again.records('acme', 'shipment', ['SHP-1'])).size).toBe(1)
      }
      await rename(path, `${path}.old`)
      await copyFile(`${path}.old`, path)
      await openStore({ path })[Symbol.asyncDispose]()
    })
  })

  test('does not lose its lock unnoticed', async () => {
    await withFolder(async (folder) => {
      using lock = lockStore(`${folder}/shipbell.db`, ME)
      lock.assertInPlace()
      await unlink(`${folder}/shipbell.db.lock`)
      expect(refusal(() => lock.assertInPlace()).message).toMatch(/^The lock .+ was deleted, .+: stop all of them/)
    })
  })
})

describe('a path that is refused', () => {
  const paths: Readonly<Record<string, { make: (path: string) => Promise<unknown>; says: RegExp }>> = {
    'a folder': { make: async (path) => mkdir(path), says: /is not a file: name a file in storage\.path\.$/ },
    'a text': {
      make: async (path) => writeFile(path, 'a shopping list, longer than the header of a database\n'.repeat(9)),
      says: /is not a Shipbell store: name another file/,
    },
    'a short text': { make: async (path) => writeFile(path, 'milk'), says: /is not a Shipbell store/ },
    "another program's database": {
      make: async (path) => new Sqlite(path).exec('CREATE TABLE songs (name TEXT)').close(),
      says: /is a database of another program: name another file/,
    },
    'a file with two names': {
      make: async (path) => {
        putEmptyStore(path)
        await link(path, `${path}.twin`)
      },
      says: /is one file with 2 names \(hard links\), .+: remove the other names, or copy the file/,
    },
    'a link to nothing': {
      make: async (path) => symlink(`${path}.none`, path),
      says: /is a link to a file that is not there: correct the link/,
    },
  }

  test.for(Object.entries(paths))('%s is told, and nothing is left beside it', async ([, { make, says }]) => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      await make(path)
      const before = await readdir(folder)
      for (const open of [() => lockStore(path, ME), () => openStore({ path })]) {
        expect(refusal(open)).toMatchObject({ code: 'store_unusable', message: expect.stringMatching(says) })
      }
      expect(await readdir(folder)).toEqual(before)
    })
  })

  test('by its second name is refused, too, while the first is in use', async () => {
    await withFolder(async (folder) => {
      const [path, twin] = [`${folder}/shipbell.db`, `${folder}/twin.db`]
      using lock = lockStore(path, ME)
      await using store = openStore({ path })
      await link(path, twin)
      expect(refusal(() => lockStore(twin, ME)).message).toContain('2 names')
      expect(refusal(() => openStore({ path: twin })).message).toContain('2 names')
      expect(existsSync(`${twin}.lock`)).toBe(false)
      // Who has it open goes on: a backup by links takes nothing away.
      await store.assertWritable()
      lock.assertInPlace()
    })
  })

  test('is none that leads to a store whose log was not yet written to its file', async () => {
    await withStore(async ({ path }) => {
      using lock = lockStore(path, ME)
      expect(lock).toBeDefined()
    })
  })
})
