import { randomBytes } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Store } from '../../src/store/ports.ts'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { withFolder } from './folder.ts'
import { batch, ring, sampleEvent, sampleState, success, T, write } from './samples.ts'

const MANY = 100

/** The threads that start while it is in use. */
class Threads implements Disposable {
  readonly all: Worker[] = []
  readonly #note = (thread: Worker): void => void this.all.push(thread)

  constructor() {
    process.on('worker', this.#note)
  }

  [Symbol.dispose](): void {
    process.off('worker', this.#note)
  }
}

/** Pages in the log, and how many of them are in the file, too. */
function logOf(path: string): { readonly log: number; readonly checkpointed: number } {
  const db = new Sqlite(path)
  const state = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)').get()
  db.close()
  return state ?? { log: 0, checkpointed: 0 }
}

async function deliverMany(store: Store, prefix: string): Promise<void> {
  await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
  const events = Array.from({ length: MANY }, (_, n) => sampleEvent(`evt_${prefix}${n}`))
  await ring(store, events, ['erp'])
  const claimed = await store.claim({ owner: 'one', now: T, leaseMs: 60_000, slots: new Map([['erp', MANY]]) })
  expect(claimed).toHaveLength(MANY)
  await store.settle(
    'one',
    claimed.map(({ id }) => ({ id, attempt: success(), result: { kind: 'delivered' } })),
  )
}

/** A log that is long enough for a checkpoint; `nth` record. */
async function fillLog(store: Store, nth: number): Promise<void> {
  const seen = { specific_instructions: randomBytes(17 * 1024 * 1024).toString('base64') }
  await store.commit(batch({ records: [write(sampleState(`SHP-${nth}`, { seen, reported: seen }))] }))
}

async function logIsCopied(path: string): Promise<void> {
  const left = (): number => {
    const { checkpointed, log } = logOf(path)
    return log - checkpointed
  }
  await expect.poll(left, { timeout: 20_000 }).toBe(0)
}

test('while much is delivered, a thread copies the log to the file, and ends with the store', async () => {
  await withFolder(async (folder) => {
    using threads = new Threads()
    const path = `${folder}/shipbell.db`
    {
      await using store = openStore({ path, locked: true })
      await deliverMany(store, 'a')
      await fillLog(store, 1)
      expect(logOf(path).checkpointed).toBe(0)
      await logIsCopied(path)
      expect(threads.all).toHaveLength(1)
      expect((await store.records('acme', 'shipment', ['SHP-1'])).size).toBe(1)
    }
    expect(threads.all.map(({ threadId }) => threadId)).toEqual([-1])
    expect(logOf(path).log).toBe(0)
  })
})

test('where nothing is delivered, the log is copied without a thread', async () => {
  await withFolder(async (folder) => {
    using threads = new Threads()
    const path = `${folder}/shipbell.db`
    await using store = openStore({ path, locked: true })
    await fillLog(store, 1)
    await logIsCopied(path)
    expect(threads.all).toEqual([])
  })
})

test('a store whose thread has died copies its log by itself', async () => {
  await withFolder(async (folder) => {
    using threads = new Threads()
    const path = `${folder}/shipbell.db`
    await using store = openStore({ path, locked: true })
    await deliverMany(store, 'a')
    await fillLog(store, 1)
    await logIsCopied(path)
    await threads.all[0]?.terminate()
    await deliverMany(store, 'b')
    await fillLog(store, 2)
    await logIsCopied(path)
    expect(threads.all).toHaveLength(1)
  })
})
