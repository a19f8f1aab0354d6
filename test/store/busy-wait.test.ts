import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import { withFolder } from './folder.ts'
import { batch, sampleState, T, write } from './samples.ts'

const LOCKED = { code: 'store_unusable', message: expect.stringContaining('is locked by another program') }

/** Another program that is writing. */
function held(path: string): () => void {
  const other = new Sqlite(path)
  other.exec('BEGIN IMMEDIATE')
  onTestFinished(() => void other.close())
  return () => void other.exec('ROLLBACK')
}

test('writes wait for another program in their order, while everything else goes on', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    await using store = openStore({ path, busyTimeoutMs: 10_000 })
    const release = held(path)
    const done: string[] = []
    const ids = ['SHP-1', 'SHP-2', 'SHP-3']
    const writes = ids.map(async (id) => {
      await store.commit(batch({ records: [write(sampleState(id))] }))
      done.push(id)
    })
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    expect(await store.records('acme', 'shipment', ids)).toEqual(new Map())
    expect(done).toEqual([])
    release()
    await Promise.all(writes)
    expect(done).toEqual(ids)
    expect((await store.records('acme', 'shipment', ids)).size).toBe(3)
  })
})

test('once one has waited in vain none waits, reads or not, until another write was made', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    let freed = 0
    await using store = openStore({ path, busyTimeoutMs: 60, onFree: () => (freed += 1) })
    const release = held(path)
    const mark = { latest: T, aheadMs: 0 }
    const waits = async (): Promise<number> => {
      const begun = performance.now()
      await expect(store.keepSteadyTime(mark)).rejects.toMatchObject(LOCKED)
      return performance.now() - begun
    }
    const [first] = await Promise.all([waits(), waits(), waits()])
    expect(first).toBeGreaterThanOrEqual(60)
    await store.waits()
    await expect(store.assertWritable()).rejects.toMatchObject(LOCKED)
    expect(freed).toBe(0)
    release()
    await store.keepSteadyTime(mark)
    await store.keepSteadyTime(mark)
    expect([freed, (await store.waits()).steady]).toEqual([1, mark])
  })
})
