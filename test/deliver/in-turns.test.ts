import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createDeliverer } from '../../src/deliver/deliverer.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { deliveriesOf } from '../support/log-rows.ts'
import { StoreFile } from '../support/store-file.ts'
import { subscription } from '../support/subscription.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { sampleEvent } from './sample-event.ts'

const ROWS = 300

/** Work takes a millisecond from look to look. */
class SlowClock extends FakeClock {
  #looks = 0

  override monotonic(): number {
    this.#looks += 1
    return super.monotonic() + this.#looks
  }
}

test('hundreds of attempts begin in turns, and are settled in parts', async () => {
  await using file = new StoreFile()
  const { store } = file
  const clock = new SlowClock()
  const erp = subscription('erp', { channel: webhookChannel({ url: 'http://127.0.0.1:9/', concurrency: ROWS }) })
  await store.syncSubscriptions([erp], clock.now())
  const events = Array.from({ length: ROWS }, (_, n) => sampleEvent({ id: `evt_${n}`, timestamp: clock.now() }))
  const deliveries = events.map(({ id }) => ({ eventId: id, subscription: 'erp' }))
  await store.commit({ account: 'acme', records: [], changes: [], dates: [], events, deliveries })
  const ids = (await deliveriesOf(store, { limit: ROWS })).map(({ id }) => id)
  let turn = 0
  const begun = new Map<number, number>()
  const settled: number[] = []
  await using deliverer = createDeliverer({
    store: {
      ...store,
      settle: async (owner, results) => {
        settled.push(results.length)
        await store.settle(owner, results)
      },
    },
    clock,
    log: pino({ enabled: false }),
    random: () => 0,
    owner: () => 'here',
    subscriptions: () => [erp],
    settings: () => ({ retryMs: [], allowNetworks: [] }),
    version: '0',
    zoneOf: () => 'UTC',
    // Nothing leaves: each attempt ends where it begins.
    maySend: () => {
      begun.set(turn, (begun.get(turn) ?? 0) + 1)
      return false
    },
  })
  const over = new AbortController()
  const counting = (async () => {
    for (; !over.signal.aborted; turn += 1) await nextTurn()
  })()
  await deliverer.drain(new AbortController().signal, ids)
  over.abort()
  await counting
  expect([...begun.values()].reduce((sum, some) => sum + some, 0)).toBe(ROWS)
  expect(Math.max(...begun.values())).toBeLessThanOrEqual(10)
  expect(settled).toEqual([250, 50])
})
