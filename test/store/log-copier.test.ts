import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { Store } from '../../src/store/ports/store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { withFolder } from './folder.ts'
import { batch, ring, sampleEvent, sampleState, success, T, write } from './samples.ts'
import { lengthenLog, logOf } from './store-log.ts'

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

/** Commits the `nth` record and makes the log long in the same turn, before the store looks at it. */
async function commitLong(store: Store, path: string, nth: number): Promise<void> {
  await store.commit(batch({ records: [write(sampleState(`SHP-${nth}`))] }))
  lengthenLog(path)
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
      putEmptyStore(path)
      await using store = openStore({ path, locked: true })
      await deliverMany(store, 'a')
      await commitLong(store, path, 1)
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
    putEmptyStore(path)
    await using store = openStore({ path, locked: true })
    await commitLong(store, path, 1)
    await logIsCopied(path)
    expect(threads.all).toEqual([])
  })
})

test('a store whose thread has died copies its log by itself', { tags: 'long' }, async () => {
  await withFolder(async (folder) => {
    using threads = new Threads()
    const path = `${folder}/shipbell.db`
    putEmptyStore(path)
    await using store = openStore({ path, locked: true })
    await deliverMany(store, 'a')
    await commitLong(store, path, 1)
    await logIsCopied(path)
    await threads.all[0]?.terminate()
    await deliverMany(store, 'b')
    await commitLong(store, path, 2)
    await logIsCopied(path)
    expect(threads.all).toHaveLength(1)
  })
})
