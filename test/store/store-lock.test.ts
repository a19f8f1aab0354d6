import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { ShipbellError } from '../../src/errors.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { isLocked, lockStore } from '../../src/store/file/store-lock.ts'
import { withFolder } from './folder.ts'
import { refusal } from './refusal.ts'

const HOLDER = fileURLToPath(new URL('lock-holder.ts', import.meta.url))
const ME = { pid: 4711, command: 'shipbell once', since: '2026-11-21T09:00:00.000Z', host: 'here' }

type Child = ChildProcessByStdio<Writable, Readable, null>

async function startHolder(path: string): Promise<Child> {
  const child = spawn(process.execPath, [HOLDER, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

async function end(child: Child, how: () => void): Promise<void> {
  const exit = once(child, 'exit')
  how()
  await exit
}

function lockRefusal(path: string): ShipbellError {
  return refusal(() => lockStore(path, ME)[Symbol.dispose]())
}

describe('the lock of a store', () => {
  test('refuses a second process, naming the first, and is free at once when that is killed', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      const child = await startHolder(path)
      try {
        const error = lockRefusal(path)
        expect(error.code).toBe('store_locked')
        expect(error.message).toBe(
          `The store ${path} is in use by process ${child.pid} on box (shipbell run -c a.yaml, since 2026-11-21T08:00:00.000Z): stop that process first.`,
        )
      } finally {
        await end(child, () => child.kill('SIGKILL'))
      }
      using lock = lockStore(path, ME)
      expect(lock).toBeDefined()
    })
  })

  test('is free when its holder lets it go', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      const child = await startHolder(path)
      await end(child, () => child.stdin.end())
      expect(child.exitCode).toBe(0)
      lockStore(path, ME)[Symbol.dispose]()
      lockStore(path, ME)[Symbol.dispose]()
    })
  })

  test('refuses within one process too, whatever name the store is reached by, and names the newest holder', async () => {
    await withFolder(async (folder) => {
      await openStore({ path: `${folder}/shipbell.db` })[Symbol.asyncDispose]()
      await symlink(`${folder}/shipbell.db`, `${folder}/link.db`)
      lockStore(`${folder}/shipbell.db`, { ...ME, pid: 1 })[Symbol.dispose]()
      using lock = lockStore(`${folder}/shipbell.db`, ME)
      expect(lock).toBeDefined()
      expect(lockRefusal(`${folder}/../${folder.split('/').at(-1)}/link.db`).message).toContain('process 4711 on here')
      expect(lockRefusal(`${folder}/shipbell.db`).code).toBe('store_locked')
    })
  })

  test('tells whether it is held, and asking changes nothing', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      expect(isLocked(path)).toBe(false)
      expect(await readdir(folder)).toEqual([])
      const child = await startHolder(path)
      const held = await readFile(`${path}.lock`)
      expect(isLocked(path)).toBe(true)
      await end(child, () => child.kill('SIGKILL'))
      expect(isLocked(path)).toBe(false)
      expect(await readFile(`${path}.lock`)).toEqual(held)
      using lock = lockStore(path, ME)
      expect(isLocked(path)).toBe(true)
      expect(lock).toBeDefined()
    })
  })

  test('is a file for its owner only, and does not keep others from reading and writing the store', async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      using lock = lockStore(path, ME)
      expect(lock).toBeDefined()
      expect((await stat(`${path}.lock`)).mode & 0o777).toBe(0o600)
      await using store = openStore({ path })
      await store.assertWritable()
    })
  })

  test('that cannot be made says why', async () => {
    await withFolder(async (folder) => {
      expect(lockRefusal(`${folder}/none/shipbell.db`)).toMatchObject({
        code: 'store_unusable',
        message: `The folder ${folder}/none of the store does not exist: create it, or correct storage.path.`,
      })
      await writeFile(`${folder}/odd.db.lock`, 'this is no database, and it is longer than a header'.repeat(20))
      expect(lockRefusal(`${folder}/odd.db`).code).toBe('store_unusable')
    })
  })
})
