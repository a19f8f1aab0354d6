import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { withFolder } from './folder.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'

const named = (n: number): { readonly name: string; readonly enabled: boolean } => ({ name: `erp-${n}`, enabled: true })
const NAMES = Array.from({ length: 500 }, (_, n) => named(n).name)
const SLOTS = new Map(NAMES.map((name) => [name, 1]))

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await using store = openStore({ path: `${folder}/shipbell.db` })
    await store.syncSubscriptions(
      NAMES.map((_, n) => named(n)),
      T,
    )
    await work(store)
  })
}

/** One record that changes, of which everybody hears; `known`: what it is taken for. */
function heardByAll(known: Parameters<typeof write>[1] = {}) {
  const deliveries = NAMES.map((subscription) => ({ eventId: 'evt_1', subscription }))
  return batch({ events: [sampleEvent('evt_1')], deliveries, records: [write(sampleState('SHP-1'), known)] })
}

async function claimed(store: Store): Promise<number> {
  return (await store.claim({ owner: 'one', now: T, leaseMs: 60_000, slots: SLOTS })).length
}

/** How many turns of the event loop came before the end of some work. */
async function turnsWithin(work: Promise<unknown>): Promise<number> {
  const over = new AbortController()
  const ended = work.finally(() => over.abort())
  let turns = 0
  for (; !over.signal.aborted; turns += 1) await nextTurn()
  await ended
  return turns
}

test('a commit that hundreds hear of lets others have their turn, and the store answers nobody in between', async () => {
  await withStore(async (store) => {
    const done: string[] = []
    const committing = store.commit(heardByAll()).then(() => done.push('commit'))
    const reading = store.records('acme', 'shipment', ['SHP-1']).then(({ size }) => done.push(`read ${size}`))
    const claiming = claimed(store).then((amount) => done.push(`claim ${amount}`))
    expect(await turnsWithin(committing)).toBeGreaterThanOrEqual(4)
    await Promise.all([reading, claiming])
    expect(done.toSorted()).toEqual(['claim 500', 'commit', 'read 1'])
  })
})

test('such a commit that is refused leaves nothing, and what waited for it goes on', async () => {
  await withStore(async (store) => {
    const committing = store.commit(heardByAll({ expectedVersion: 7 }))
    const claiming = claimed(store)
    await expect(committing).rejects.toMatchObject({ code: 'store_conflict' })
    expect(await claiming).toBe(0)
    await store.commit(heardByAll())
    expect(await claimed(store)).toBe(500)
  })
})

test('a configuration of a thousand subscriptions more lets others have their turn', async () => {
  await withStore(async (store) => {
    const syncing = store.syncSubscriptions(
      Array.from({ length: 1_500 }, (_, n) => named(n)),
      T,
    )
    const facts = store.endpointFacts()
    expect(await turnsWithin(syncing)).toBeGreaterThanOrEqual(4)
    expect(await facts).toHaveLength(1_500)
  })
})
