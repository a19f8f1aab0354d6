import { beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/ports/store.ts'
import { sampleEvent as sampleOf } from '../../src/samples/sample-event.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'
import type { OpenStore } from './conformance.ts'
import { ring, sampleEvent, success, T } from './samples.ts'

export function describeSamples(open: OpenStore): void {
  describe('samples', () => {
    let store: Store

    beforeEach(async () => {
      store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      return () => store[Symbol.asyncDispose]()
    })

    const add = async (id: string, type: Parameters<typeof sampleOf>[0] = 'shipment.eta_changed') =>
      await store.addSample({ event: { ...sampleOf(type), id }, subscription: 'erp', at: T })
    const claim = async () => await store.claim({ owner: 'one', now: T, leaseMs: 1_000, slots: new Map([['erp', 9]]) })

    test('are claimed as they were made, as tests, numbered among themselves', async () => {
      const row = await add('evt_s1')
      await add('evt_s2', 'endpoint.failing')
      const [first, second] = await claim()
      const made = { ...sampleOf('shipment.eta_changed'), id: 'evt_s1', sequence: 1, cause: 'test' }
      const { object, before } = made
      expect(first).toMatchObject({ id: row, subscription: 'erp', event: made })
      expect([first?.event.object, first?.event.before]).toEqual([object, before])
      expect(second?.event).toMatchObject({ id: 'evt_s2', account: null, sequence: 2 })
    })

    test('are sent where the endpoint is shut, and in no count', async () => {
      await store.disable('erp', { reason: 'gone', at: T })
      const row = await add('evt_s1')
      expect(await claim()).toHaveLength(1)
      await store.settle('one', [{ id: row, attempt: success(), result: { kind: 'exhausted' } }])
      expect((await store.endpoints())[0]).toMatchObject({
        counts: { pending: 0, delivered: 0, exhausted: 0, held: 0, discarded: 0 },
      })
    })

    test('move no sequence, of their account or of none, no record, no date, and make no account', async () => {
      await add('evt_s1')
      expect(await store.accounts(T)).toEqual([])
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_0', { account: null })], [])
      await add('evt_s2')
      await ring(store, [sampleEvent('evt_2'), sampleEvent('evt_00', { account: null })], [])
      const events = await eventsOf(store, { limit: 9 })
      expect(new Map(events.map(({ id, sequence }) => [id, sequence]))).toEqual(
        new Map([
          ['evt_s1', 1],
          ['evt_1', 1],
          ['evt_0', 1],
          ['evt_s2', 2],
          ['evt_2', 2],
          ['evt_00', 2],
        ]),
      )
      expect((await eventsOf(store, { account: 'acme', limit: 9 })).map(({ id }) => id).toSorted()).toEqual([
        'evt_1',
        'evt_2',
      ])
      expect(await store.eventsNamed('#1', { account: 'acme', limit: 9 })).toEqual(['evt_1'])
      expect((await store.records('acme', 'shipment', ['SHP-1'])).size).toBe(0)
      expect(await store.slips({ since: 0, limit: 9 })).toMatchObject({ items: [] })
    })

    test('wait for no event of their subject, nor does one wait for them', async () => {
      await store.syncSubscriptions([{ name: 'erp', enabled: true, order: 'subject' }], T)
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      await add('evt_s1')
      await add('evt_s2')
      expect(new Set((await claim()).map(({ event }) => event.id))).toEqual(new Set(['evt_1', 'evt_s1', 'evt_s2']))
      expect(await deliveriesOf(store, { limit: 9 })).toHaveLength(3)
    })
  })
}
