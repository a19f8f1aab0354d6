import { beforeEach, describe, expect, test } from 'vitest'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, ring, sampleEvent, success, T } from './samples.ts'
import { deliveriesOf } from '../support/log-rows.ts'

const MINUTE = 60_000
const DAY = 86_400_000

export function describeSteady(open: OpenStore): void {
  describe('steady time', () => {
    let store: Store

    beforeEach(async () => {
      store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp'])
      return () => store[Symbol.asyncDispose]()
    })

    const claimed = async (now: number): Promise<readonly string[]> =>
      (await store.claim({ owner: 'one', now, leaseMs: MINUTE, slots: new Map([['erp', 9]]) })).map(({ id }) => id)
    const settle = async (id: string | undefined, attemptResult: Omit<AttemptResult, 'id'>): Promise<void> =>
      await store.settle('one', [{ id: id ?? '', ...attemptResult }])
    const shown = async (): Promise<readonly (number | null)[]> =>
      (await deliveriesOf(store, { limit: 9 })).toReversed().map(({ nextAttemptAt }) => nextAttemptAt)

    test('is what the wall clock shows, until that was set', async () => {
      expect((await store.waits()).steady).toMatchObject({ aheadMs: 0 })
      await store.keepSteadyTime({ latest: T, aheadMs: DAY })
      expect((await store.waits()).steady).toEqual({ latest: T, aheadMs: DAY })
    })

    test('is known to have come to where a wait began, and never goes back', async () => {
      await store.keepSteadyTime({ latest: T - DAY, aheadMs: 0 })
      const [first, second] = await claimed(T)
      await settle(second, { attempt: success({ at: T + MINUTE }), result: { kind: 'delivered' } })
      expect((await store.waits()).steady).toMatchObject({ latest: T - DAY })
      await settle(first, { attempt: attempt({ at: T, durationMs: 30 }), result: { kind: 'retry', at: T + 5_030 } })
      expect((await store.waits()).steady).toMatchObject({ latest: T + 30 })
      await store.keepSteadyTime({ latest: T, aheadMs: 0 })
      expect((await store.waits()).steady).toMatchObject({ latest: T + 30 })
    })

    test('measures waits, and the ledger shows by the wall clock when they end', async () => {
      const [first] = await claimed(T)
      await settle(first, { attempt: attempt(), result: { kind: 'retry', at: T + MINUTE } })
      expect((await shown())[0]).toBe(T + MINUTE)
      await store.keepSteadyTime({ latest: T, aheadMs: DAY })
      expect((await shown())[0]).toBe(T + MINUTE - DAY)
      expect(await claimed(T + MINUTE - 1)).not.toContain(first)
      await store.waiting({ now: T + MINUTE, most: new Map([['erp', 1]]) })
      expect((await shown())[0]).toBe(T + MINUTE - DAY)
      expect(await claimed(T + MINUTE)).toContain(first)
    })

    test('what was put off until an hour is due again where the wall clock was set, what failed is not', async () => {
      const [put, failed] = await claimed(T)
      const later = { kind: 'retry', at: T + DAY } as const
      await settle(put, { attempt: null, result: later })
      await settle(failed, { attempt: attempt(), result: later })
      expect(await store.deferredRows(T)).toBe(1)
      await store.keepSteadyTime({ latest: T, aheadMs: DAY })
      expect(await store.deferredRows(T - DAY)).toBe(0)
      expect(await shown()).toEqual([T, T])
      expect(await claimed(T)).toEqual([put])
    })

    test('what was put off after it was set is counted by what the wall clock shows', async () => {
      await store.keepSteadyTime({ latest: T, aheadMs: DAY })
      const [put] = await claimed(T)
      await settle(put, { attempt: null, result: { kind: 'retry', at: T + MINUTE } })
      expect(await store.deferredRows(T - DAY)).toBe(1)
      expect(await store.deferredRows(T - DAY + MINUTE)).toBe(0)
    })
  })
}
