import { describe, expect, test } from 'vitest'
import type { LoggedRecords } from '../../src/store/ports/log-port.ts'
import type { Page, PageQuery } from '../../src/model/page.ts'
import type { RecordWrite } from '../../src/store/ports/commit-port.ts'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, batch, ring, sampleEvent, sampleState, success, T, write } from './samples.ts'

const HOUR = 3_600_000

/** All items, page by page. */
async function walk<T>(page: (query: PageQuery) => Promise<Page<T>>, limit = 2): Promise<readonly T[]> {
  const items: T[] = []
  let cursor: string | undefined
  do {
    const { items: found, next } = await page({ limit, ...(cursor !== undefined && { cursor }) })
    expect(found.length).toBeLessThanOrEqual(limit)
    items.push(...found)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return items
}

async function settle(
  store: Store,
  results: Readonly<Record<string, AttemptResult['result'] | string>>,
): Promise<void> {
  const slots = new Map((await store.endpoints()).map(({ subscription }) => [subscription, 99]))
  const claimed = await store.claim({ owner: 'one', now: T + 1_000, leaseMs: 60_000, slots })
  await store.settle(
    'one',
    claimed.map(({ id, event, subscription }) => {
      const result = results[`${event.id} ${subscription}`] ?? results[event.id] ?? { kind: 'released' }
      if (typeof result === 'string') {
        const status = Number(/answered (\d+)/.exec(result)?.[1] ?? 0) || null
        return { id, attempt: attempt({ error: result, status }), result: { kind: 'retry', at: T + 60_000 } }
      }
      if (result.kind === 'delivered') return { id, attempt: success(), result }
      return { id, attempt: result.kind === 'exhausted' ? attempt() : null, result }
    }),
  )
}

async function twoAccounts(store: Store): Promise<void> {
  const other = { resource: 'invoice', id: 'INV-1', version: 1, previousEventId: null } as const
  await store.commit(
    batch({
      storedAt: T,
      events: [sampleEvent('evt_1'), sampleEvent('evt_2', { type: 'shipment.updated' }), sampleEvent('evt_3')],
    }),
  )
  await store.commit(
    batch({
      account: 'beta',
      storedAt: T + 1,
      events: [
        sampleEvent('evt_4', { account: 'beta' }),
        sampleEvent('evt_5', { account: 'beta', type: 'invoice.updated', subject: other }),
      ],
    }),
  )
  await store.commit(
    batch({ storedAt: T + 2, events: [sampleEvent('evt_6', { account: null }), sampleEvent('evt_7')] }),
  )
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function oddOnes(account: string): readonly string[] {
  return [`${account} shipment A: one`, `${account} shipment A: two`, `${account} shipment null: no id`]
}

/** A record that was read by its id. */
function alone(id: string, answeredAt: number): RecordWrite {
  return write(sampleState(id, { lastRead: { sentAt: answeredAt, answeredAt } }))
}

export function describeLogPages(open: OpenStore): void {
  describe('pages of the log', () => {
    test('show every event once, newest first, whatever is asked for', async () => {
      await using store = await open()
      await twoAccounts(store)
      const found = async (filter: object) =>
        (await walk(async (query) => await store.eventPage({ ...filter, ...query })))
          .map(({ id }) => id.slice(4))
          .join('')
      expect(await found({})).toBe('7654321')
      expect(await found({ account: 'acme' })).toBe('7321')
      expect(await found({ account: 'beta' })).toBe('54')
      expect(await found({ account: 'nobody' })).toBe('')
      expect(await found({ types: ['shipment.updated', 'invoice.updated'] })).toBe('52')
      expect(await found({ types: [] })).toBe('')
      expect(await found({ account: 'acme', types: ['shipment.status_changed', 'invoice.updated'] })).toBe('731')
      expect(await found({ resource: 'invoice' })).toBe('5')
      expect(await found({ resource: 'shipment', account: 'beta' })).toBe('4')
      expect(await found({ subjectId: 'SHP-1', account: 'beta' })).toBe('4')
      expect(await found({ subjectId: 'SHP-1', types: ['shipment.updated'] })).toBe('2')
      expect(await found({ since: T + 1 })).toBe('7654')
      expect(await found({ since: T + 1, until: T + 2 })).toBe('54')
      expect(await found({ until: T + 1, account: 'acme' })).toBe('321')
      expect(await found({ subjectId: 'SHP-1', since: T + 1, until: T + 2 })).toBe('4')
    })

    test('show nothing twice while new events ring', async () => {
      await using store = await open()
      await twoAccounts(store)
      const first = await store.eventPage({ limit: 3 })
      await ring(store, [sampleEvent('evt_8', { timestamp: T + 3 })], [])
      const rest = await walk(async (query) => await store.eventPage({ cursor: first.next ?? '', ...query }))
      expect([...first.items, ...rest].map(({ id }) => id.slice(4)).join('')).toBe('7654321')
    })

    test('follow the log in the order of storing', async () => {
      await using store = await open()
      expect((await store.logEnds()).lastPlace).toBe(0)
      expect((await store.logPage({ since: 0, after: 0, limit: 9 })).events).toEqual([])
      await ring(store, [sampleEvent('evt_1', { timestamp: T + 9 }), sampleEvent('evt_2')], [])
      const placed = (await store.logPage({ since: 0, after: 0, limit: 9 })).events
      expect(placed.map(({ event }) => event.id)).toEqual(['evt_1', 'evt_2'])
      const [first, second] = placed
      expect((await store.logEnds()).lastPlace).toBe(second?.place)
      expect((await store.logPage({ since: 0, after: first?.place ?? 0, limit: 9 })).events).toEqual([second])
      expect((await store.logPage({ since: 0, after: 0, limit: 1 })).events).toEqual([first])
    })

    test('leave out the records that nobody looks at, and say when each event rang', async () => {
      await using store = await open()
      const created = sampleEvent('evt_1', { type: 'shipment.created', before: null, changes: null, extras: {} })
      await store.commit(batch({ storedAt: T + 5, events: [created, sampleEvent('evt_2')] }))
      const shown = async (records?: LoggedRecords) => {
        const { events } = await store.logPage({ since: 0, after: null, limit: 9, ...(records && { records }) })
        expect(events.map(({ event, rangAt }) => [event.id, event.timestamp, rangAt])).toEqual([
          ['evt_1', T, T + 5],
          ['evt_2', T, T + 5],
        ])
        expect(events[1]?.event).toMatchObject({ changes: sampleEvent('').changes, extras: sampleEvent('').extras })
        return events.map(({ event }) => [event.object !== null, event.before !== null])
      }
      expect(await shown()).toEqual([
        [true, false],
        [true, true],
      ])
      expect(await shown('all')).toEqual(await shown())
      expect(await shown('shown')).toEqual([
        [true, false],
        [true, false],
      ])
      expect(await shown('whole')).toEqual([
        [true, false],
        [false, false],
      ])
      expect(await shown('none')).toEqual([
        [false, false],
        [false, false],
      ])
    })

    test('refuse a cursor that is none of theirs', async () => {
      await using store = await open()
      await twoAccounts(store)
      await store.commit(
        batch({
          quarantine: {
            resource: 'shipment',
            via: 'list',
            remember: ['A', 'B'].map((id) => ({ id, reason: 'odd' })),
            forget: [],
          },
        }),
      )
      const { next } = await store.eventPage({ limit: 1 })
      const bad = [
        '',
        '!',
        'e30',
        'bnVsbA',
        `${next}=`,
        `${next} `,
        encoded(['events', 1.5, 2]),
        encoded(['events', 1]),
      ]
      for (const cursor of [...bad, 'A'.repeat(9_999), encoded(['events', '1', 2]), encoded(['events', 1, 2, 3])]) {
        await expect(store.eventPage({ limit: 1, cursor })).rejects.toMatchObject({ code: 'bad_cursor' })
        await expect(store.deliveryPage({ limit: 1, cursor })).rejects.toMatchObject({ code: 'bad_cursor' })
        await expect(store.quarantine({ limit: 1, cursor })).rejects.toMatchObject({ code: 'bad_cursor' })
      }
      const wrong = { limit: 1, cursor: next ?? '' }
      await expect(store.deliveryPage(wrong)).rejects.toMatchObject({ code: 'bad_cursor' })
      await expect(store.quarantine(wrong)).rejects.toMatchObject({ code: 'bad_cursor' })
    })

    test('count what rang in each hour', async () => {
      await using store = await open()
      const start = T - (T % HOUR)
      await store.commit(batch({ storedAt: start + HOUR - 1, events: [sampleEvent('evt_1'), sampleEvent('evt_2')] }))
      await store.commit(batch({ storedAt: start + HOUR - 1, events: [sampleEvent('evt_2'), sampleEvent('evt_3')] }))
      const events = [
        sampleEvent('evt_4'),
        sampleEvent('evt_5', { type: 'shipment.updated' }),
        sampleEvent('evt_6', { account: null }),
      ]
      await store.commit(batch({ storedAt: start + HOUR, events }))
      const counted = async (since: number) =>
        (await store.eventHours(since)).map(({ hour, account, type, amount }) => [
          (hour - start) / HOUR,
          account,
          type,
          amount,
        ])
      const second = [
        [1, null, 'shipment.status_changed', 1],
        [1, 'acme', 'shipment.status_changed', 1],
        [1, 'acme', 'shipment.updated', 1],
      ]
      expect(await counted(start)).toEqual([[0, 'acme', 'shipment.status_changed', 3], ...second])
      expect(await counted(start + HOUR + 5)).toEqual(second)
      expect(await counted(start + 2 * HOUR)).toEqual([])
    })

    test('find events by what a person may call them', async () => {
      await using store = await open()
      await ring(store, [sampleEvent('evt_12ab'), sampleEvent('evt_12'), sampleEvent('evt_13')], [])
      await store.commit(batch({ account: 'beta', events: [sampleEvent('evt_12cd', { account: 'beta' })] }))
      await ring(store, [sampleEvent('evt_%', { account: null })], [])
      const named = async (name: string, account?: string) =>
        await store.eventsNamed(name, { limit: 9, ...(account !== undefined && { account }) })
      expect(await named('evt_12')).toEqual(['evt_12'])
      expect(await named('evt_12a')).toEqual(['evt_12ab'])
      expect(await named('evt_1')).toEqual(['evt_12', 'evt_12ab', 'evt_12cd', 'evt_13'])
      expect(await named('evt_1', 'beta')).toEqual(['evt_12cd'])
      expect(await named('evt_12', 'beta')).toEqual([])
      expect(await store.eventsNamed('evt_1', { limit: 2 })).toHaveLength(2)
      expect(await named('evt_1%')).toEqual([])
      expect(await named('')).toEqual([])
      expect((await named('#1')).toSorted()).toEqual(['evt_%', 'evt_12ab', 'evt_12cd'])
      expect(await named('#1', 'acme')).toEqual(['evt_12ab'])
      expect(await named('#3', 'acme')).toEqual(['evt_13'])
      expect(await named('#9')).toEqual([])
      expect(await named('#x')).toEqual([])
    })

    test('list what cannot be understood, by account', async () => {
      await using store = await open()
      for (const account of ['beta', 'acme']) {
        const remember = [
          { id: 'A', reason: 'one' },
          { id: 'A', reason: 'two' },
          { id: null, reason: 'no id' },
        ]
        await store.commit(batch({ account, quarantine: { resource: 'shipment', via: 'list', remember, forget: [] } }))
      }
      const found = async (filter: object) =>
        (await walk(async (query) => await store.quarantine({ ...filter, ...query }))).map(
          ({ account, resource, id, reason }) => `${account} ${resource} ${id}: ${reason}`,
        )
      expect(await found({})).toEqual([...oddOnes('acme'), ...oddOnes('beta')])
      expect(await found({ account: 'beta' })).toEqual(oddOnes('beta'))
      expect(await found({ account: 'nobody' })).toEqual([])
    })
  })

  describe('pages of the ledger', () => {
    test('show every row once, newest event first, whatever is asked for', async () => {
      await using store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      await ring(store, [sampleEvent('evt_1')], ['erp', 'ops'])
      const beta = sampleEvent('evt_2', { account: 'beta' })
      const deliveries = [{ eventId: 'evt_2', subscription: 'erp' }]
      await store.commit(batch({ account: 'beta', storedAt: T + 1, events: [beta], deliveries }))
      await ring(store, [sampleEvent('evt_3', { timestamp: T + HOUR })], ['ops', 'erp'])
      await settle(store, { 'evt_1 erp': { kind: 'delivered' } })
      const found = async (filter: object, limit = 2) =>
        (await walk(async (query) => await store.deliveryPage({ ...filter, ...query }), limit)).map(
          ({ eventId, subscription, state }) => `${eventId.slice(4)} ${subscription} ${state}`,
        )
      const all = ['3 erp pending', '3 ops held', '2 erp pending', '1 ops held', '1 erp delivered']
      expect(await found({})).toEqual(all)
      expect(await found({}, 1)).toEqual(all)
      expect(await found({ subscription: 'erp' })).toEqual(['3 erp pending', '2 erp pending', '1 erp delivered'])
      expect(await found({ states: ['held', 'delivered'] })).toEqual(['3 ops held', '1 ops held', '1 erp delivered'])
      expect(await found({ states: [] })).toEqual([])
      expect(await found({ states: ['pending'], subscription: 'ops' })).toEqual([])
      expect(await found({ eventId: 'evt_1' })).toEqual(['1 ops held', '1 erp delivered'])
      expect(await found({ eventId: 'evt_1', subscription: 'ops' })).toEqual(['1 ops held'])
      expect(await found({ eventId: 'evt_1', states: ['pending'] })).toEqual([])
      expect(await found({ eventId: 'nothing' })).toEqual([])
      expect(await found({ account: 'beta' })).toEqual(['2 erp pending'])
      expect(await found({ account: 'acme' })).toEqual(all.filter((row) => !row.startsWith('2')))
      expect(await found({ account: 'acme', since: T + 1 })).toEqual(all.slice(0, 2))
      expect(await found({ account: 'nobody' })).toEqual([])
      expect(await found({ account: 'acme', subscription: 'erp' })).toEqual(['3 erp pending', '1 erp delivered'])
      expect(await found({ since: T + 1 })).toEqual(all.slice(0, 3))
      expect(await found({ since: T + HOUR, states: ['held'] })).toEqual(['3 ops held'])
      expect(await found({ since: T + 2 * HOUR })).toEqual([])
      const [row] = (await store.deliveryPage({ limit: 1 })).items
      expect(await store.deliveries([row?.id ?? '', 'nothing'])).toEqual([row])
    })

    test('find what rang after the clock was set back', async () => {
      await using store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      for (const [nth, at] of [T + 9 * HOUR, T, T + 9 * HOUR, T + HOUR].entries()) {
        await ring(store, [sampleEvent(`evt_${nth}`, { timestamp: at })], ['erp'])
      }
      const since = T + HOUR
      const rows = await walk(async (query) => await store.deliveryPage({ since, ...query }))
      expect(rows.map(({ eventId }) => eventId)).toEqual(['evt_3', 'evt_2', 'evt_0'])
      const { events } = await store.logPage({ since, after: null, limit: 9 })
      expect(events.map(({ event }) => event.id)).toEqual(['evt_0', 'evt_2', 'evt_3'])
    })

    test('tell what should have been delivered from what waits to be sent together', async () => {
      await using store = await open()
      await store.syncSubscriptions(
        ['erp', 'ops'].map((name) => ({ name, enabled: true })),
        T,
      )
      const events = ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5'].map((id) => sampleEvent(id))
      await ring(store, [...events, sampleEvent('evt_6', { cause: 'test' })], ['erp'])
      await ring(store, [sampleEvent('evt_7')], ['ops'])
      await settle(store, {
        evt_1: { kind: 'delivered' },
        evt_2: { kind: 'exhausted' },
        evt_3: 'https://erp.example answered 500',
        evt_4: { kind: 'retry', at: T + HOUR },
        evt_7: { kind: 'retry', at: T + 2 * HOUR },
      })
      const undelivered = async (now: number) =>
        (await walk(async (query) => await store.deliveryPage({ undelivered: { now }, ...query }))).map(
          ({ eventId }) => eventId,
        )
      expect(await undelivered(T + 2_000)).toEqual(['evt_5', 'evt_3', 'evt_2'])
      expect(await undelivered(T + HOUR)).toEqual(['evt_5', 'evt_4', 'evt_3', 'evt_2'])
      expect(await store.deferredRows(T + 2_000)).toBe(2)
      expect(await store.deferredRows(T + HOUR)).toBe(1)
      expect(await store.deferredRows(T + 2_000, 'erp')).toBe(1)
      const deferred = (await store.deliveryPage({ eventId: 'evt_4', limit: 1 })).items.map(({ id }) => id)
      await store.retry(deferred, { at: T + 2_000, delivered: false })
      expect(await store.deferredRows(T + 2_000)).toBe(1)
      await store.disable('ops', { reason: 'enough', at: T + 2_000 })
      expect(await store.deferredRows(T + 2_000)).toBe(0)
    })

    test('say what a retry would send again: no tests, nothing delivered, by account and cause', async () => {
      await using store = await open()
      const events = ['evt_1', 'evt_2', 'evt_3'].map((id, nth) => sampleEvent(id, { timestamp: T + nth }))
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      await ring(store, [...events, sampleEvent('evt_4', { cause: 'test' })], ['erp'])
      await settle(store, { evt_1: { kind: 'exhausted' }, evt_2: { kind: 'delivered' }, evt_3: { kind: 'exhausted' } })
      const upTo = (await store.logEnds()).lastPlace
      const asked = { subscription: 'erp', states: ['exhausted'], since: T, after: null } as const
      const eventsOf = async (more: object = {}): Promise<readonly string[]> => {
        const { ids, after } = await store.retryable({ ...asked, upTo, ...more })
        expect(after).toBeNull()
        expect(await store.countRetryable({ ...asked, ...more })).toEqual({ amount: ids.length, after: null })
        const rows = await store.deliveries(ids)
        return rows.map(({ eventId }) => eventId).toReversed()
      }
      expect(await eventsOf()).toEqual(['evt_1', 'evt_3'])
      expect(await eventsOf({ since: T + 1 })).toEqual(['evt_3'])
      expect(await eventsOf({ since: T + 3 })).toEqual([])
      expect(await eventsOf({ account: 'acme' })).toEqual(['evt_1', 'evt_3'])
      expect(await eventsOf({ account: 'nobody' })).toEqual([])
      expect(await eventsOf({ cause: 'The endpoint answered 500' })).toEqual(['evt_1', 'evt_3'])
      expect(await eventsOf({ cause: 'The endpoint answered 500', since: T + 1 })).toEqual(['evt_3'])
      expect(await eventsOf({ cause: 'The endpoint answered 404' })).toEqual([])
      expect(await eventsOf({ states: ['pending'] })).toEqual([])
      expect(await eventsOf({ states: [] })).toEqual([])
      expect(await eventsOf({ subscription: 'ops' })).toEqual([])
      await store.retry((await store.retryable({ ...asked, upTo })).ids.slice(1), { at: T, delivered: false })
      const both = ['pending', 'exhausted', 'held', 'discarded'] as const
      expect(await eventsOf({ states: both })).toEqual(['evt_1', 'evt_3'])
      expect(await eventsOf({ states: both, cause: 'The endpoint answered 500' })).toEqual(['evt_1', 'evt_3'])
      await store.expirePayloads({ before: T + 9_999, now: T + 9_999, after: null, limit: 9 })
      expect(await eventsOf({ states: both })).toEqual(['evt_3'])
      expect(await eventsOf({ states: both, cause: 'The endpoint answered 500' })).toEqual(['evt_3'])
      expect((await store.retryable({ ...asked, states: both, upTo: 1 })).ids).toEqual([])
    })

    test('a retry looks at its rows in slices', async () => {
      await using store = await open()
      const amount = 1_500
      await store.syncSubscriptions([{ name: 'erp', enabled: false }], T)
      await ring(
        store,
        Array.from({ length: amount }, (_, nth) => sampleEvent(`evt_${nth}`)),
        ['erp'],
      )
      const asked = { subscription: 'erp', states: ['held'], since: 0 } as const
      const upTo = (await store.logEnds()).lastPlace
      const ids: string[] = []
      let [slices, after]: [number, number | null] = [0, null]
      do {
        const slice: Awaited<ReturnType<Store['retryable']>> = await store.retryable({ ...asked, upTo, after })
        ids.push(...slice.ids)
        after = slice.after
        slices += 1
      } while (after !== null)
      expect([new Set(ids).size, ids.length, slices > 1]).toEqual([amount, amount, true])
      expect((await store.countRetryable({ ...asked, after: null })).amount).toBe(amount)
    })

    test('group what failed by its cause', async () => {
      await using store = await open()
      await store.syncSubscriptions(
        ['erp', 'ops'].map((name) => ({ name, enabled: true })),
        T,
      )
      await ring(
        store,
        ['1', '2', '3', '4', '5', '6'].map((nth) => sampleEvent(`evt_${nth}`)),
        ['erp'],
      )
      await ring(store, [sampleEvent('evt_7')], ['ops'])
      expect(await store.failures()).toEqual([])
      await settle(store, {
        evt_1: 'https://erp.example answered 500',
        evt_2: 'https://erp.example did not answer within 15 s',
        evt_3: { kind: 'exhausted' },
        evt_4: 'https://erp.example did not answer within 20 s',
        evt_5: { kind: 'delivered' },
        evt_7: 'https://ops.example answered 503',
      })
      const groups = await store.failures()
      expect(
        groups.map(({ subscription, status, cause, rows, more, example }) => [
          subscription,
          status,
          cause,
          rows,
          more,
          example.eventId,
        ]),
      ).toEqual([
        ['erp', null, 'The endpoint did not answer within … s', 2, false, 'evt_4'],
        ['erp', 500, 'The endpoint answered 500', 2, false, 'evt_3'],
        ['ops', 503, 'The endpoint answered 503', 1, false, 'evt_7'],
      ])
      expect(await store.failures({ subscription: 'ops' })).toEqual(groups.slice(2))
      const rowsBy = async (filter: object) => (await store.failures(filter)).map(({ cause, rows }) => [cause, rows])
      expect(await rowsBy({ states: ['exhausted'] })).toEqual([['The endpoint answered 500', 1]])
      expect(await rowsBy({ states: ['delivered'] })).toEqual([])
      expect(await rowsBy({ account: 'nobody' })).toEqual([])
      expect(await store.failures({ account: 'acme', since: 0 })).toEqual(groups)
      expect(await rowsBy({ since: Date.UTC(2100, 0) })).toEqual([])
      const ofCause = async (filter: object) =>
        (await walk(async (query) => await store.deliveryPage({ ...filter, ...query }))).map(({ eventId }) => eventId)
      const [slow, refused] = groups
      expect(await ofCause({ cause: slow?.cause })).toEqual(['evt_4', 'evt_2'])
      expect(await ofCause({ cause: refused?.cause })).toEqual(['evt_3', 'evt_1'])
      expect(await ofCause({ cause: refused?.cause, states: ['exhausted'] })).toEqual(['evt_3'])
      expect(await ofCause({ cause: refused?.cause, subscription: 'ops' })).toEqual([])
    })
  })

  describe('overviews', () => {
    test('tell when a record was read longest ago, on a page or alone, and forget those that are removed', async () => {
      await using store = await open()
      await store.startPass('acme', 'shipment', T)
      await store.commit(batch({ records: [alone('A', T + 10), alone('B', T + 20), alone('C', T + 30)] }))
      const reads = async () => {
        const [list] = (await store.accounts(T))[0]?.lists ?? []
        return [list?.records, list?.oldestReadAt, list?.newestReadAt]
      }
      expect(await reads()).toEqual([3, T + 10, T + 30])
      const gone = sampleState('A', { removedAt: T + 40, version: 1, lastRead: { sentAt: T + 40, answeredAt: T + 40 } })
      await store.commit(batch({ records: [write(gone, { contentHash: null, expectedVersion: 0 })] }))
      expect(await reads()).toEqual([2, T + 20, T + 30])
      const back = sampleState('A', { version: 2, lastRead: { sentAt: T + 50, answeredAt: T + 50 } })
      await store.commit(batch({ records: [write(back, { expectedVersion: 1 })] }))
      expect(await reads()).toEqual([3, T + 20, T + 50])
    })
  })
}
