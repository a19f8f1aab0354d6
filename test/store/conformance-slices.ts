import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryState } from '../../src/model/delivery.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, ring, sampleEvent, success, T } from './samples.ts'
import { deliveriesOf } from '../support/log-rows.ts'
import { runs } from '../support/runs.ts'

/** More than three slices of the dearest kind and more than two of the others. */
const MANY = 1_200
const SUBJECTS = 10
/** More endpoints than one slice looks at. */
const HUNDREDS = 260

export function describeSlices(open: OpenStore): void {
  describe('rows that follow their endpoint in slices', () => {
    let store: Store
    let rung: number

    beforeEach(async () => {
      store = await open()
      rung = 0
      await configure()
      return () => store[Symbol.asyncDispose]()
    })

    async function configure({
      order = 'none',
      enabled = true,
    }: Partial<{ order: 'none' | 'subject'; enabled: boolean }> = {}) {
      await store.syncSubscriptions([{ name: 'erp', enabled, order }], T)
    }

    async function add(amount: number): Promise<void> {
      const events = Array.from({ length: amount }, () => {
        rung += 1
        const subject = { resource: 'shipment', id: `S${rung % SUBJECTS}`, version: 1, previousEventId: null } as const
        return sampleEvent(`evt_${String(rung).padStart(6, '0')}`, { subject })
      })
      await ring(store, events, ['erp'])
    }

    async function claim(slots = 2 * MANY): Promise<readonly string[]> {
      const rows = await store.claim({ owner: 'one', now: T + 1, leaseMs: 60_000, slots: new Map([['erp', slots]]) })
      return rows.map(({ event }) => event.id)
    }

    async function settled(): Promise<number> {
      let slices = 1
      while (!(await store.settleRows(T))) slices += 1
      return slices
    }

    const counts = async () => (await store.endpoints())[0]?.counts
    const none: Record<DeliveryState, number> = { pending: 0, delivered: 0, exhausted: 0, held: 0, discarded: 0 }

    test('a change is in force before its rows have followed, and small backlogs follow at once', async () => {
      await add(MANY)
      await store.disable('erp', { reason: 'maintenance', at: T })
      const some = await counts()
      expect(some?.held).toBeGreaterThan(0)
      expect(some?.pending).toBeGreaterThan(0)
      expect(await claim()).toEqual([])
      expect(await store.nextDueAt()).toBeNull()
      expect(await settled()).toBeGreaterThan(1)
      expect(await counts()).toEqual({ ...none, held: MANY })
      expect(await settled()).toBe(1)
      expect(await store.enable('erp', { at: T, discard: false })).toBe(MANY)
      expect((await claim(9)).at(0)).toBe('evt_000001')
      await settled()
      expect(await counts()).toEqual({ ...none, pending: MANY })
    })

    test('the rows of hundreds of endpoints follow as those of one do', async () => {
      const names = Array.from({ length: HUNDREDS }, (_, n) => `erp-${String(n).padStart(3, '0')}`)
      const [first = '', last = ''] = [names[0], names.at(-1)]
      const sync = async (isEnabled: (name: string) => boolean) =>
        await store.syncSubscriptions(
          names.map((name) => ({ name, enabled: isEnabled(name) })),
          T,
        )
      const claimed = async () => {
        const rows = await store.claim({
          owner: 'one',
          now: T + 1,
          leaseMs: 60_000,
          slots: new Map(names.map((name) => [name, 1])),
        })
        return rows.map(({ subscription }) => subscription)
      }
      const states = async (name: string) =>
        (await store.endpoints()).find((each) => each.subscription === name)?.counts
      await sync(() => true)
      await ring(store, [sampleEvent('evt_000001')], names)
      await sync((name) => name === first)
      expect(await claimed()).toEqual([first])
      await settled()
      expect(await states(last)).toEqual({ ...none, held: 1 })
      await sync(() => true)
      await settled()
      expect(await states(last)).toEqual({ ...none, pending: 1 })
      expect(await claimed()).toEqual(names.slice(1))
      expect((await store.endpoints()).length).toBe(HUNDREDS + 1)
    })

    test('a test is sent while others are still to be held', async () => {
      await add(MANY)
      await store.disable('erp', { reason: 'maintenance', at: T })
      await ring(store, [sampleEvent('evt_test', { cause: 'test' })], ['erp'])
      expect(await claim()).toEqual(['evt_test'])
    })

    test('people are told how many are held before all of them are', async () => {
      await add(MANY)
      await store.disable('erp', { reason: 'maintenance', at: T })
      expect((await store.endpointFacts())[0]?.held).toBe(MANY)
    })

    test('what ends while it is still to be held ends as if it were held, a success excepted', async () => {
      await add(MANY)
      const slots = new Map([['erp', MANY]])
      const rows = await store.claim({ owner: 'one', now: T, leaseMs: 60_000, slots })
      await store.disable('erp', { reason: 'maintenance', at: T })
      const [exhausted = '', again = '', released = '', arrived = ''] = rows.slice(-4).map(({ id }) => id)
      await store.settle('one', [
        { id: exhausted, attempt: attempt(), result: { kind: 'exhausted' } },
        { id: again, attempt: attempt(), result: { kind: 'retry', at: T + 9 } },
        { id: released, attempt: null, result: { kind: 'released' } },
        { id: arrived, attempt: success(), result: { kind: 'delivered' } },
      ])
      const states = (await deliveriesOf(store, { limit: 4 })).toReversed().map(({ state }) => state)
      expect(states).toEqual(['held', 'held', 'held', 'delivered'])
      await settled()
      expect(await counts()).toEqual({ ...none, held: MANY - 1, delivered: 1 })
    })

    test('a 410 shuts the endpoint at once and holds the row that it answered', async () => {
      await add(MANY)
      const rows = await store.claim({ owner: 'one', now: T, leaseMs: 60_000, slots: new Map([['erp', MANY]]) })
      const last = rows.at(-1)
      const id = last?.id ?? ''
      await store.settle('one', [{ id, attempt: attempt(), result: { kind: 'disable', reason: 'gone' } }])
      expect((await deliveriesOf(store, { id, limit: 1 }))[0]?.state).toBe('held')
      await settled()
      expect(await counts()).toEqual({ ...none, held: MANY })
    })

    test('a discard drops what was held when it was asked for, whatever rings meanwhile', async () => {
      await add(MANY)
      await store.disable('erp', { reason: 'maintenance', at: T })
      await settled()
      expect(await store.discard('erp', T)).toBe(MANY)
      await add(3)
      expect((await counts())?.discarded).toBeLessThan(MANY)
      await settled()
      expect(await counts()).toEqual({ ...none, discarded: MANY, held: 3 })
    })

    test('an endpoint that is enabled with a discard sends nothing of what is still to be discarded', async () => {
      await add(MANY)
      await store.disable('erp', { reason: 'maintenance', at: T })
      await settled()
      expect(await store.enable('erp', { at: T, discard: true })).toBe(MANY)
      await add(1)
      expect(await claim()).toEqual([`evt_00${MANY + 1}`])
      await settled()
      expect(await claim()).toEqual([])
      expect(await counts()).toEqual({ ...none, discarded: MANY, pending: 1 })
    })

    test('with `order: subject` nothing is sent until every row has its place in its lane', async () => {
      await add(MANY)
      await configure({ order: 'subject' })
      expect(await claim()).toEqual([])
      await add(SUBJECTS)
      expect(await claim()).toEqual([])
      await settled()
      const first = Array.from({ length: SUBJECTS }, (_, n) => `evt_${String(n + 1).padStart(6, '0')}`)
      expect(await claim()).toEqual(first)
      await configure()
      await settled()
      expect(await claim()).toHaveLength(MANY)
    })

    test('one subscription follows while others wait', async () => {
      await add(MANY)
      await store.disable('erp', { reason: 'maintenance', at: T })
      expect(await store.settleRows(T, 'other')).toBe(true)
      expect((await counts())?.pending).toBeGreaterThan(0)
    })

    test('whatever is changed and cut short, each row is in one state, counted, and ends where its endpoint is', async () => {
      const step = fc.constantFrom(
        'enable',
        'disable',
        'discard',
        'drop',
        'ordered',
        'unordered',
        'slice',
        'add',
        'send',
      )
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          if (rung === 0) await add(MANY)
          for (const each of steps) await act(each)
          await settled()
          const rows = await deliveriesOf(store, { limit: 100_000 })
          expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(rung)
          const real = rows.reduce((sum, { state }) => ({ ...sum, [state]: sum[state] + 1 }), none)
          expect(await counts()).toEqual(real)
          const [endpoint] = await store.endpoints()
          expect(endpoint?.disabled === null && endpoint.enabled ? real.held : real.pending).toBe(0)
        }),
        runs(2),
      )
    })

    async function act(step: string): Promise<void> {
      if (step === 'enable') await store.enable('erp', { at: T, discard: false })
      if (step === 'disable') await store.disable('erp', { reason: 'maintenance', at: T })
      if (step === 'discard') await store.discard('erp', T)
      if (step === 'drop') await store.enable('erp', { at: T, discard: true })
      if (step === 'ordered') await configure({ order: 'subject' })
      if (step === 'unordered') await configure({ enabled: rung % 2 === 0 })
      if (step === 'slice') await store.settleRows(T)
      if (step === 'add') await add(11)
      if (step !== 'send') return
      const [endpoint] = await store.endpoints()
      const rows = await store.claim({ owner: 'one', now: T + 1, leaseMs: 60_000, slots: new Map([['erp', 20]]) })
      if (endpoint?.disabled !== null || !endpoint.enabled) expect(rows).toEqual([])
      await store.settle(
        'one',
        rows.map(({ id }) => ({ id, attempt: success(), result: { kind: 'delivered' } })),
      )
    }
  })
}
