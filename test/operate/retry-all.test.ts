import path from 'node:path'
import { expect, test } from 'vitest'
import { RetryAll } from '../../src/operate/retry-all.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { scratchFolder } from '../config/scratch.ts'
import { attempt, ring, sampleEvent, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'

const ROWS = 450
const CHOICE = { subscription: 'erp', since: 0, missing: false } as const
const NEVER = new AbortController().signal

/** A store with rows of `erp` that are exhausted. */
async function opened() {
  const text = `accounts: { acme: { base_url: https://acme.example, api_key: k, watch: { shipments: {} } } }
subscriptions: {}
storage: { path: shipbell.db }
`
  const cwd = scratchFolder({ 'shipbell.yaml': text })
  const live = new LiveConfig(requireConfig('shipbell.yaml', { cwd, env: {} }))
  const file = path.join(cwd, 'shipbell.db')
  putEmptyStore(file)
  const store = openStore({ path: file })
  await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
  const events = Array.from({ length: ROWS }, (_, nth) => sampleEvent(`evt_${nth}`))
  await ring(store, events, ['erp'])
  const claimed = await store.claim({ owner: 'one', now: T, leaseMs: 60_000, slots: new Map([['erp', ROWS]]) })
  await store.settle(
    'one',
    claimed.map(({ id }) => ({ id, attempt: attempt(), result: { kind: 'exhausted' } })),
  )
  const clock = new FakeClock(T)
  const all = new RetryAll({ live, clock, store })
  const pending = async () => (await store.endpoints())[0]?.counts.pending
  return { all, clock, pending, store }
}

async function over<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  await clock.advance(60_000)
  return await work
}

test('retries each row once, also while others ring', async () => {
  const { all, clock, pending, store } = await opened()
  await using _ = store
  expect(await over(clock, all.count(CHOICE))).toBe(ROWS)
  const steps: number[] = []
  const rung: Promise<unknown>[] = []
  const onProgress = (done: number): void => {
    steps.push(done)
    rung.push(ring(store, [sampleEvent(`evt_late_${done}`)], ['erp']))
  }
  expect(await over(clock, all.retry(CHOICE, { signal: NEVER, onProgress }))).toBe(ROWS)
  await Promise.all(rung)
  expect([steps.length > 1, steps.at(-1)]).toEqual([true, ROWS])
  expect(await pending()).toBe(ROWS + steps.length)
})

test('ends where it is cut short', async () => {
  const { all, clock, pending, store } = await opened()
  await using _ = store
  const stop = new AbortController()
  const taken = await over(clock, all.retry(CHOICE, { signal: stop.signal, onProgress: () => stop.abort() }))
  expect([taken > 0, taken < ROWS]).toEqual([true, true])
  expect(await pending()).toBe(taken)
})
