import { beforeEach, describe, expect, it } from 'vitest'
import { awaitOutcome } from '../../src/operate/await-outcome.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { StoreFile } from '../support/store-file.ts'
import { attempt, ring, sampleEvent, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { deliveriesOf } from '../support/log-rows.ts'

describe('waiting for a daemon that sends rows of an ordered subscription', () => {
  let store: Store
  let clock: FakeClock

  beforeEach(async () => {
    const file = new StoreFile()
    store = file.store
    clock = new FakeClock(T)
    await store.syncSubscriptions([{ name: 'erp', enabled: true, order: 'subject' }], T)
    await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp'])
    return async () => file[Symbol.asyncDispose]()
  })

  const all = async () => (await deliveriesOf(store, { limit: 9 })).toReversed()

  /** Waits for these rows; resolves to the ids of those that still wait for their attempt. */
  async function outcome(ids: readonly string[]): Promise<readonly string[]> {
    const signal = new AbortController().signal
    return await awaitOutcome(store, { ids, clock, signal, patienceMs: 60_000, isSending: () => true })
  }

  async function failFirst(): Promise<void> {
    const [first] = await store.claim({ owner: 'me', now: T, leaseMs: 1_000, slots: new Map([['erp', 9]]) })
    const result = { kind: 'retry', at: T + 3_600_000 } as const
    await store.settle('me', [{ id: first?.id ?? '', attempt: attempt(), result }])
  }

  it('is over once the first of a subject has failed: what stands behind it waits for its retry', async () => {
    const [first, second] = await all()
    await failFirst()
    expect(await outcome([first?.id ?? '', second?.id ?? ''])).toEqual([])
    expect(await outcome([second?.id ?? ''])).toEqual([])
    expect((await all()).map(({ waitsFor }) => waitsFor)).toEqual([null, first?.id])
  })

  it('goes on while the first of a subject is still to be sent', async () => {
    const [, second] = await all()
    let ended = false
    const waiting = outcome([second?.id ?? '']).then((left) => {
      ended = true
      return left
    })
    await clock.advance(59_000)
    expect(ended).toBe(false)
    await failFirst()
    await clock.advance(400)
    expect(await waiting).toEqual([])
  })
})
