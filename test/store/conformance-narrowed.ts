import { describe, expect, test } from 'vitest'
import type { OpenStore } from './conformance.ts'
import { attempt, batch, ring, sampleEvent, sampleState, T, write } from './samples.ts'

/** Lists that are asked for accounts and subscriptions of which there are several, as somebody who sees a part is shown them. */
export function describeNarrowed(open: OpenStore): void {
  describe('lists of several accounts', () => {
    test('show what is of these alone, and nothing that is of no account', async () => {
      await using store = await open()
      for (const [nth, account] of ['one', 'two', 'three'].entries()) {
        const events = ['a', 'b'].map((name) =>
          sampleEvent(`evt_${account}${name}`, {
            account,
            type: 'shipment.delivery_at_risk',
            subject: { resource: 'shipment', id: `S-${name}`, version: 1, previousEventId: null },
            timestamp: T + nth,
          }),
        )
        const records = ['a', 'b'].map((name) => write(sampleState(`S-${name}`, { version: 1 })))
        await store.commit({ ...batch({ events, records }), account })
      }
      await ring(store, [sampleEvent('evt_none', { account: null })], [])
      const accounts = ['one', 'three', 'four']
      const events = await store.eventPage({ accounts, limit: 9 })
      expect(events.items.map(({ id }) => id)).toEqual(['evt_threeb', 'evt_threea', 'evt_oneb', 'evt_onea'])
      const { items: ofSubject } = await store.eventPage({ accounts, subjectId: 'S-a', limit: 9 })
      expect(ofSubject.map(({ id }) => id)).toEqual(['evt_threea', 'evt_onea'])
      const both = async (account: string) => (await store.eventPage({ account, accounts, limit: 9 })).items.length
      expect([await both('one'), await both('two'), await both('four')]).toEqual([2, 0, 0])
      const records = async (query: object) =>
        (await store.recordPage({ resource: 'shipment', accounts, limit: 9, ...query })).items.map(
          ({ account, id }) => `${account} ${id}`,
        )
      const [all, searched] = [await records({}), await records({ q: 's-a' })]
      expect(all.toSorted()).toEqual(['one S-a', 'one S-b', 'three S-a', 'three S-b'])
      expect(searched.toSorted()).toEqual(['one S-a', 'three S-a'])
      expect(await records({ account: 'two' })).toEqual([])
      expect(await store.eventsNamed('evt_t', { accounts, limit: 9 })).toEqual(['evt_threea', 'evt_threeb'])
      expect(await store.eventsNamed('evt_twoa', { accounts, limit: 9 })).toEqual([])
      expect(await store.eventsNamed('#1', { accounts, limit: 9 })).toEqual(['evt_onea', 'evt_threea'])
      for (const states of [undefined, ['open'] as const]) {
        const query = { accounts, now: T, limit: 3, ...(states !== undefined && { states }) }
        const first = await store.exceptionPage(query)
        const rest = await store.exceptionPage({ ...query, cursor: first.next ?? '' })
        const found = [...first.items, ...rest.items].map(({ account, subjectId }) => `${account} ${subjectId}`)
        expect(found.slice(0, 2).toSorted()).toEqual(['three S-a', 'three S-b'])
        expect(found.slice(2).toSorted()).toEqual(['one S-a', 'one S-b'])
        expect((await store.exceptionPage({ ...query, account: 'two' })).items).toEqual([])
      }
    })

    test('of the ledger show the rows of these subscriptions, and why they fail', async () => {
      await using store = await open()
      const names = ['main', 'side', 'other']
      await store.syncSubscriptions(
        names.map((name) => ({ name, enabled: true })),
        T,
      )
      for (const account of ['one', 'two']) {
        const events = [sampleEvent(`evt_${account}`, { account })]
        const deliveries = names.map((subscription) => ({ eventId: `evt_${account}`, subscription }))
        await store.commit({ ...batch({ events, deliveries }), account })
      }
      const slots = new Map(names.map((name) => [name, 2]))
      const claimed = await store.claim({ owner: 'w', now: T + 1_000, leaseMs: 60_000, slots })
      await store.settle(
        'w',
        claimed.map(({ id }) => ({ id, attempt: attempt(), result: { kind: 'retry', at: T + 60_000 } })),
      )
      const choice = { accounts: ['one'], subscriptions: ['main', 'side', 'gone'] }
      const rows = async (query: object) =>
        (await store.deliveryPage({ ...choice, limit: 9, ...query })).items
          .map(({ eventId, subscription }) => `${eventId} ${subscription}`)
          .toSorted()
      expect(await rows({})).toEqual(['evt_one main', 'evt_one side'])
      expect(await rows({ eventId: 'evt_one' })).toEqual(['evt_one main', 'evt_one side'])
      expect(await rows({ eventId: 'evt_two' })).toEqual([])
      expect(await rows({ subscription: 'side' })).toEqual(['evt_one side'])
      expect(await rows({ subscription: 'other' })).toEqual([])
      expect(await rows({ account: 'two' })).toEqual([])
      expect(await rows({ subscriptions: undefined })).toEqual(['evt_one main', 'evt_one other', 'evt_one side'])
      expect(await rows({ accounts: undefined })).toHaveLength(4)
      const failures = await store.failures(choice)
      expect(failures.map(({ rows: amount, subscription }) => `${subscription} ${amount}`)).toEqual([
        'main 1',
        'side 1',
      ])
    })
  })
}
