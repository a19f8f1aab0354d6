import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import type { Store } from '../../src/store/ports/store.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { CONFIGURATION } from '../cli/ledger.ts'
import { contentsOf, MovedStore } from '../cli/moved-store.ts'
import { DatabaseProxy, type Fault } from '../support/database-proxy.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { Workplace } from '../support/shipbell.ts'
import { keptStore } from './kept-stage.ts'

/** From before the program reads its configuration to after its end. */
const LONGEST_MS = 1_500
const RUNS = { numRuns: 8 }

/** A copy that is killed at some moment, and is begun again until it ends. Each may be one that the one before had ended. */
async function killed(work: Workplace, to: string, afterMs: readonly number[]): Promise<void> {
  for (const ms of afterMs) {
    const running = work.start('store', 'copy', '--to', to)
    await Promise.race([sleep(ms), running.ended])
    running.kill('SIGKILL')
    await running.ended
    await expectOneAtMost(work, to)
  }
}

async function canWork(open: () => Store | Promise<Store>): Promise<boolean> {
  try {
    await using store = await open()
    // Writes, and leaves nothing: a place with a row is no empty one.
    await store.judge({ account: 'any', resource: 'shipment', reason: 'unproved' }, 'accept')
    return true
  } catch (error) {
    expect(String(error)).toMatch(/was moved to|has yet to take its place/)
    return false
  }
}

/** One that is empty and could be worked on is no other store: nobody has moved there. */
async function expectOneAtMost(work: Workplace, url: string): Promise<void> {
  const isLeft = !(await canWork(() => openStore({ path: path.join(work.folder, 'shipbell.db') })))
  const copy = await canWork(async () => await openPostgresStore({ url, pool: 2 }))
  if (isLeft || !copy) return
  await using store = await openPostgresStore({ url, pool: 2 })
  expect((await store.eventPage({ limit: 1 })).items).toEqual([])
}

test('a copy that is killed at any moment leaves one store to work on, and the same command ends it', async () => {
  const databases = await postgresDatabases()
  const moments = fc.array(fc.integer({ min: 100, max: LONGEST_MS }), { minLength: 1, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(moments, moments, async (there, back) => {
      using work = new Workplace()
      work.environment = { KEY: 'key' }
      const file = path.join(work.folder, 'shipbell.db')
      const url = await databases.take()
      writeFileSync(file, keptStore('0001'), { mode: 0o600 })
      work.write('shipbell.yaml', CONFIGURATION)
      await killed(work, url, there)
      const { code, stderr } = await work.run('store', 'copy', '--to', url)
      expect([0, 3]).toContain(code)
      if (code === 3) expect(stderr).toMatch(/was moved to .+ already/)
      expect(await canWork(() => openStore({ path: file }))).toBe(false)
      work.write('shipbell.yaml', `${CONFIGURATION}storage: ${JSON.stringify({ url })}\n`)
      for (const ms of back) {
        const running = work.start('store', 'copy', '--to', 'back.db')
        await Promise.race([sleep(ms), running.ended])
        running.kill('SIGKILL')
        await running.ended
      }
      await work.run('store', 'copy', '--to', 'back.db')
      expect(contentsOf(path.join(work.folder, 'back.db'))).toEqual(contentsOf(file))
    }),
    RUNS,
  )
})

const fault = fc.oneof(
  fc.integer({ min: 1, max: 120_000 }).map((bytes): Fault => ({ cutAfter: bytes })),
  fc.constant<Fault>({ swallowsCommit: true }),
)
const faults = fc.array(fault, { minLength: 1, maxLength: 5 })

test('a copy whose connections break goes on over others, to the same end', async () => {
  await fc.assert(
    fc.asyncProperty(faults, faults, async (there, back) => {
      const moved = await MovedStore.with(async () => undefined)
      writeFileSync(moved.file, keptStore('0001'))
      await using proxy = await DatabaseProxy.start(moved.url)
      proxy.faults = [...there]
      expect(await moved.copy(proxy.url)).toMatchObject({ exitCode: 0, stderr: '' })
      moved.use({ url: proxy.url })
      proxy.faults = [...back]
      expect(await moved.copy('back.db')).toMatchObject({ exitCode: 0, stderr: '' })
      expect(contentsOf(path.join(moved.cwd, 'back.db'))).toEqual(contentsOf(moved.file))
    }),
    RUNS,
  )
})

test('a copy is refused while a command writes', async () => {
  const moved = await MovedStore.with(async () => undefined)
  const writer = new Client({ connectionString: moved.url })
  await writer.connect()
  await writer.query('BEGIN; INSERT INTO rests VALUES ($$a$$, 1)')
  const { exitCode, stderr } = await moved.copy()
  await writer.end()
  expect(exitCode).toBe(3)
  expect(stderr).toBe(
    `The store ${moved.place} is in use by somebody who writes to it: wait for its end, or stop it first.`,
  )
})
