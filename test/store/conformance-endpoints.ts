import { beforeEach, describe, expect, test } from 'vitest'
import type { EndpointFacts } from '../../src/model/endpoint.ts'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, ring, sampleEvent, success, T } from './samples.ts'
import { NEVER_TRIED } from '../support/never-tried.ts'

const SECOND = 1_000

const failed = (seconds: number, error = 'It answered 500.') => attempt({ at: T + seconds * SECOND, error })

export function describeEndpoints(open: OpenStore): void {
  describe('the life of endpoints', () => {
    let store: Store
    let rung: number

    beforeEach(async () => {
      store = await open()
      rung = 0
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      return () => store[Symbol.asyncDispose]()
    })

    async function claimed(): Promise<string> {
      const [row] = await store.claim({ owner: 'one', now: T, leaseMs: 1e9, slots: new Map([['erp', 1]]) })
      if (row === undefined) throw new Error('nothing to claim')
      return row.id
    }

    /** Rings an event and settles its delivery. */
    async function settle(
      result: AttemptResult['result'],
      made: AttemptResult['attempt'],
      cause: 'change' | 'test' = 'change',
    ): Promise<void> {
      rung += 1
      await ring(store, [sampleEvent(`evt_${rung}`, { cause })], ['erp'])
      await store.settle('one', [{ id: await claimed(), attempt: made, result }])
    }

    const later = { kind: 'retry', at: T + 1e9 } as const
    const facts = async (): Promise<EndpointFacts | undefined> => (await store.endpointFacts())[0]
    const failingSeconds = async (): Promise<number> => ((await facts())?.failingForMs ?? 0) / SECOND

    test('outcomes written together count in their order', async () => {
      await ring(
        store,
        [1, 2, 3, 4, 5].map((each) => sampleEvent(`evt_${each}`)),
        ['erp'],
      )
      const rows = await store.claim({ owner: 'one', now: T, leaseMs: 1e9, slots: new Map([['erp', 5]]) })
      const outcomes = [
        { attempt: failed(1), result: later },
        { attempt: success({ at: T + 2 * SECOND }), result: { kind: 'delivered' } },
        { attempt: success({ at: T + 3 * SECOND }), result: { kind: 'delivered' } },
        { attempt: failed(4), result: { kind: 'exhausted' } },
        { attempt: failed(5), result: { kind: 'exhausted' }, shared: true },
      ] as const
      const attemptResults = rows.flatMap(({ id }, index) => {
        const outcome = outcomes[index]
        return outcome === undefined ? [] : [{ id, ...outcome }]
      })
      await store.settle('one', attemptResults)
      expect(await facts()).toMatchObject({
        failuresInARow: 1,
        failingSince: T + 4 * SECOND,
        lastSuccessAt: T + 3 * SECOND,
        exhaustedSince: T + 4 * SECOND + 20,
      })
    })

    test('an endpoint that was never tried has none', async () => {
      expect(await store.endpointFacts()).toEqual([{ ...NEVER_TRIED, enabled: true, pending: 0 }])
    })

    test('failures are counted from the first to the last, whatever order they end in', async () => {
      await settle(later, failed(20))
      await settle(later, failed(10, 'It refused the connection.'))
      await settle(later, failed(30, 'It answered 503.'))
      await settle({ kind: 'released' }, null)
      expect(await facts()).toMatchObject({
        failuresInARow: 3,
        failingSince: T + 10 * SECOND,
        lastFailureAt: T + 30 * SECOND,
        lastError: 'It answered 503.',
        exhaustedSince: null,
      })
    })

    describe('the time in which attempts failed', () => {
      const DAY = 86_400

      async function fail(seconds: number, longestStepMs: number | undefined = DAY * SECOND): Promise<void> {
        rung += 1
        await ring(store, [sampleEvent(`evt_${rung}`)], ['erp'])
        await store.settle('one', [{ id: await claimed(), attempt: failed(seconds), result: later, longestStepMs }])
      }

      test('is the gaps between failures, each up to the longest step', async () => {
        await fail(0)
        expect(await failingSeconds()).toBe(0)
        await fail(600)
        expect(await failingSeconds()).toBe(600)
        await fail(600 + 6 * DAY)
        expect(await failingSeconds()).toBe(600 + DAY)
        await fail(700 + 6 * DAY, 5 * SECOND)
        expect(await failingSeconds()).toBe(605 + DAY)
        await fail(800 + 6 * DAY, 0)
        expect(await failingSeconds()).toBe(605 + DAY)
      })

      test('counts what ends in another order than it began once', async () => {
        await fail(0)
        await fail(20)
        await fail(10)
        await fail(30)
        expect(await failingSeconds()).toBe(30)
      })

      test('ends with a success, and with a command that enables', async () => {
        await fail(0)
        await fail(600)
        await settle({ kind: 'delivered' }, success({ at: T + 700 * SECOND }))
        expect(await failingSeconds()).toBe(0)
        await fail(2 * DAY)
        expect(await failingSeconds()).toBe(0)
        await fail(2 * DAY + 60)
        expect(await failingSeconds()).toBe(60)
        await store.enable('erp', { at: T, discard: false })
        expect(await failingSeconds()).toBe(0)
        await fail(4 * DAY)
        expect(await failingSeconds()).toBe(0)
      })

      test('goes on evenly where the wall clock is set', async () => {
        await fail(0)
        await store.keepSteadyTime({ latest: T + 60 * SECOND, aheadMs: 365 * DAY * SECOND })
        await fail(60 - 365 * DAY)
        expect(await failingSeconds()).toBe(60)
        await fail(120 - 365 * DAY)
        expect(await failingSeconds()).toBe(120)
      })
    })

    test('the first last retry that fails is remembered, and a success ends it all but for when it last failed', async () => {
      await settle({ kind: 'exhausted' }, failed(10))
      await settle({ kind: 'exhausted' }, failed(20))
      expect(await facts()).toMatchObject({ failuresInARow: 2, exhaustedSince: T + 10 * SECOND + 20 })
      await settle({ kind: 'delivered' }, success({ at: T + 30 * SECOND }))
      expect(await facts()).toMatchObject({
        failuresInARow: 0,
        failingSince: null,
        lastFailureAt: T + 20 * SECOND,
        lastError: null,
        lastSuccessAt: T + 30 * SECOND,
        exhaustedSince: null,
      })
    })

    test('a test says nothing, neither by its failure nor by its success', async () => {
      await settle({ kind: 'exhausted' }, failed(10), 'test')
      expect(await facts()).toMatchObject({ failuresInARow: 0, lastError: null, exhaustedSince: null })
      await settle(later, failed(20))
      await settle({ kind: 'delivered' }, success(), 'test')
      expect(await facts()).toMatchObject({ failuresInARow: 1, lastError: 'It answered 500.', lastSuccessAt: null })
    })

    test('a 410 tells that the endpoint is gone, a command that it was a command; the first one stays', async () => {
      await settle({ kind: 'disable', reason: 'It answered 410 Gone.' }, failed(10, 'It answered 410 Gone.'))
      await store.disable('erp', { reason: 'disabled by command', at: T + 1e6 })
      expect(await facts()).toMatchObject({
        disabled: { reason: 'It answered 410 Gone.', at: T + 10 * SECOND + 20, by: 'gone' },
        held: 1,
      })
      expect((await store.endpoints())[0]?.disabled?.by).toBe('gone')
    })

    test('what is exhausted while the endpoint is shut is held instead, and exhausts nothing', async () => {
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const id = await claimed()
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.settle('one', [{ id, attempt: failed(10), result: { kind: 'exhausted' } }])
      expect(await facts()).toMatchObject({ failuresInARow: 1, exhaustedSince: null, held: 1 })
    })

    test('being enabled starts the count anew, but proves nothing', async () => {
      await settle({ kind: 'exhausted' }, failed(10))
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.enable('erp', { at: T, discard: false })
      expect(await facts()).toMatchObject({
        failuresInARow: 0,
        failingSince: null,
        exhaustedSince: null,
        lastError: 'It answered 500.',
        disabled: null,
      })
    })

    test('one that is given up is disabled, and its events are held', async () => {
      await settle(later, failed(10))
      const failingSince = T + 10 * SECOND
      await store.disable('erp', { failingSince, reason: 'for too long', at: T + 1e6 })
      expect(await facts()).toMatchObject({
        disabled: { reason: 'for too long', at: T + 1e6, by: 'failing' },
        held: 1,
      })
    })

    test('one that has had a success meanwhile is not given up, nor one that a command disabled', async () => {
      await settle(later, failed(10))
      const giving = { failingSince: T + 10 * SECOND, reason: 'for too long', at: T + 1e6 }
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.disable('erp', giving)
      expect((await facts())?.disabled?.by).toBe('command')
      await store.enable('erp', { at: T, discard: true })
      await settle(later, failed(20))
      await store.disable('erp', giving)
      expect((await facts())?.disabled).toBeNull()
      await settle({ kind: 'delivered' }, success())
      await store.disable('erp', giving)
      expect((await facts())?.disabled).toBeNull()
    })

    test('nobody asks about what the file disables or lacks', async () => {
      await settle(later, failed(10))
      await store.syncSubscriptions([{ name: 'erp', enabled: false }], T)
      expect(await facts()).toMatchObject({ enabled: false, failuresInARow: 1 })
      await store.syncSubscriptions([], T)
      expect(await store.endpointFacts()).toEqual([])
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      expect(await facts()).toMatchObject({ failuresInARow: 1 })
    })
  })
}
