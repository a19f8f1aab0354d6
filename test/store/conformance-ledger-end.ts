import { beforeEach, describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import type { Provenance } from '../../src/model/provenance.ts'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { SweepPlace } from '../../src/store/ports/retention-port.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'
import type { OpenStore, TestedStore } from './conformance.ts'
import { attempt, batch, ring, sampleEvent, sampleProvenance, sampleState, success, T, write } from './samples.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const LAST = 'evt_last'

/** Two whole sweeps, in small steps: payloads, then rows. */
async function sweep(store: Store, before: number, limit = 2): Promise<number> {
  await store.expirePayloads({ before, now: before, after: null, limit: 10_000 })
  let dropped = 0
  let after: SweepPlace | null = null
  do {
    const step: Awaited<ReturnType<Store['dropEnded']>> = await store.dropEnded({ before, after, limit })
    dropped += step.dropped
    after = step.end
  } while (after !== null)
  return dropped
}

/** The n-th event of SHP-1, an hour after the one before. */
function nth(version: number, changes: Partial<EventDraft> = {}): EventDraft {
  const previousEventId = version === 1 ? null : `evt_${version - 1}`
  const subject = { resource: 'shipment', id: 'SHP-1', version, previousEventId } as const
  return sampleEvent(`evt_${version}`, { subject, timestamp: T + version * HOUR, ...changes })
}

function seenBy(number: number): Provenance {
  return sampleProvenance({ pass: { number, startedAt: T } })
}

export function describeLedgerEnd(open: OpenStore): void {
  describe('the end of the ledger', () => {
    let store: TestedStore

    beforeEach(async () => {
      store = await open()
      const names = ['erp', 'ops'].map((name) => ({ name, enabled: true }))
      await store.syncSubscriptions(names, T)
      return () => store[Symbol.asyncDispose]()
    })

    const end = async (subscription: string, result: AttemptResult['result'], at: number) => {
      const [row] = await store.claim({ owner: 'one', now: at, leaseMs: 1_000, slots: new Map([[subscription, 1]]) })
      const made = result.kind === 'delivered' ? success({ at, durationMs: 0 }) : attempt({ at, durationMs: 0 })
      await store.settle('one', [{ id: row?.id ?? '', attempt: made, result }])
      return row?.id ?? ''
    }
    const ids = async () => (await eventsOf(store, { limit: 99 })).map(({ id }) => id).toSorted()
    /** Something young, so that no event under test is the last of the log. */
    const ringLast = async () => ring(store, [sampleEvent(LAST, { timestamp: T + 900 * DAY })], [])

    test('an event goes with its rows and attempts once all of them ended that long ago, and not a moment before', async () => {
      await ring(store, [nth(1)], ['erp', 'ops'])
      await ringLast()
      const row = await end('erp', { kind: 'delivered' }, T + DAY)
      await end('ops', { kind: 'exhausted' }, T + 2 * DAY)
      expect(await sweep(store, T + 2 * DAY - 1)).toBe(0)
      expect(await deliveriesOf(store, { id: 'evt_1' })).toHaveLength(2)
      expect(await sweep(store, T + 2 * DAY)).toBe(1)
      expect(await sweep(store, T + 2 * DAY)).toBe(0)
      expect(await ids()).toEqual([LAST])
      expect([await store.event('evt_1'), await store.deliveries([row]), await store.attempts(row)]).toEqual([
        null,
        [],
        [],
      ])
    })

    test('never while a row is pending, waits for its retry or is held, however old', async () => {
      await ring(store, [nth(1), nth(2), nth(3)], ['erp'])
      await ring(store, [nth(4)], ['ops'])
      await ringLast()
      await end('erp', { kind: 'delivered' }, T + 1)
      await end('erp', { kind: 'retry', at: T + 800 * DAY }, T + 1)
      await store.disable('ops', { reason: 'gone', at: T })
      expect(await sweep(store, T + 700 * DAY)).toBe(1)
      expect(await ids()).toEqual(['evt_2', 'evt_3', 'evt_4', LAST])
    })

    test('never with its payload, and never the last of the log: places and numbers do not come again', async () => {
      await ring(store, [nth(1), nth(2)], [])
      expect((await store.dropEnded({ before: T + 900 * DAY, after: null, limit: 9 })).dropped).toBe(0)
      const place = (await store.logEnds()).lastPlace
      expect(await sweep(store, T + 900 * DAY)).toBe(1)
      expect([await ids(), (await store.logEnds()).lastPlace]).toEqual([['evt_2'], place])
      await ring(store, [nth(3)], [])
      expect(
        (await store.logPage({ since: 0, after: place, limit: 9 })).events.map(({ event }) => [
          event.id,
          event.sequence,
        ]),
      ).toEqual([['evt_3', 3]])
    })

    test('what is delivered is counted on, what needed a person is not', async () => {
      await ring(store, [nth(1), nth(2), nth(3)], ['erp'])
      await ringLast()
      await end('erp', { kind: 'delivered' }, T + DAY)
      await end('erp', { kind: 'retry', at: T + DAY }, T + DAY)
      await end('erp', { kind: 'exhausted' }, T + DAY)
      const before = await store.endpoints()
      expect(before[0]?.counts).toMatchObject({ delivered: 1, exhausted: 1, pending: 1 })
      await sweep(store, T + 2 * DAY)
      expect((await store.endpoints())[0]?.counts).toMatchObject({ delivered: 1, exhausted: 0, pending: 1 })
    })

    test('how many rang and ended is kept by day', async () => {
      await ring(store, [nth(1), nth(2), nth(3, { type: 'shipment.updated' }), nth(30)], ['erp', 'ops'])
      await ringLast()
      for (const at of [T + HOUR, T + HOUR, T + DAY]) await end('erp', { kind: 'delivered' }, at)
      for (const at of [T + HOUR, T + HOUR, T + DAY]) await end('ops', { kind: 'exhausted' }, at)
      expect(await store.eventHours(0)).toHaveLength(5)
      expect(await sweep(store, T + 40 * HOUR, 1)).toBe(3)
      const today = Math.floor(T / DAY)
      const totals = await store.dailyTotals()
      expect(totals.events).toEqual([
        { day: today, account: 'acme', type: 'shipment.status_changed', amount: 2 },
        { day: today, account: 'acme', type: 'shipment.updated', amount: 1 },
        { day: today + 1, account: 'acme', type: 'shipment.status_changed', amount: 1 },
      ])
      expect(totals.deliveries).toEqual([
        { day: today, subscription: 'erp', state: 'delivered', amount: 2, attempts: 2 },
        { day: today, subscription: 'ops', state: 'exhausted', amount: 2, attempts: 2 },
        { day: today + 1, subscription: 'erp', state: 'delivered', amount: 1, attempts: 1 },
        { day: today + 1, subscription: 'ops', state: 'exhausted', amount: 1, attempts: 1 },
      ])
      expect(await store.eventHours(0)).toMatchObject([{ amount: 1 }])
      await sweep(store, T + 40 * HOUR)
      expect(await store.dailyTotals()).toEqual(totals)
    })

    test('a record that rang goes on where it was: nothing that was dropped rings again', async () => {
      const told = { version: 1, lastEventId: 'evt_1' }
      const ringing = batch({ records: [write(sampleState('SHP-1', told))], events: [nth(1)] })
      await store.commit(ringing)
      await ringLast()
      expect(await sweep(store, T + DAY)).toBe(1)
      await expect(store.commit(ringing)).rejects.toThrow()
      expect(await ids()).toEqual([LAST])
      expect((await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1')).toMatchObject(told)
      await ring(store, [nth(2)], ['erp'])
      expect((await store.story('evt_2'))?.previous).toBeNull()
      expect(await store.event('evt_2')).toMatchObject({ sequence: 3, subject: { previousEventId: 'evt_1' } })
    })

    test('lists, cursors and places go on behind what was dropped', async () => {
      await ring(
        store,
        Array.from({ length: 60 }, (_, index) => nth(index + 1)),
        ['erp'],
      )
      const first = await store.eventPage({ limit: 5, oldestFirst: true })
      const rows = await store.deliveryPage({ limit: 5, oldestFirst: true, account: 'acme' })
      const [placed] = (await store.logPage({ since: 0, after: 0, limit: 1 })).events
      for (let row = 0; row < 60; row += 1) {
        // The third stays pending, and so do the last ten.
        if (row < 50)
          await end('erp', row === 2 ? { kind: 'retry', at: T + 800 * DAY } : { kind: 'delivered' }, T + DAY)
      }
      expect(await sweep(store, T + 100 * DAY)).toBe(49)
      const left = ['evt_3', ...Array.from({ length: 10 }, (_, index) => `evt_${index + 51}`)]
      const page = await store.eventPage({ limit: 99, oldestFirst: true, cursor: first.next ?? '' })
      expect(page.items.map(({ id }) => id)).toEqual(left.slice(1))
      const more = await store.deliveryPage({ limit: 99, oldestFirst: true, account: 'acme', cursor: rows.next ?? '' })
      expect(more.items.map(({ eventId }) => eventId)).toEqual(left.slice(1))
      expect(
        (await store.logPage({ since: 0, after: placed?.place ?? 0, limit: 99 })).events.map(({ event }) => event.id),
      ).toEqual(left)
      const ofAccount = await deliveriesOf(store, { account: 'acme' })
      expect(ofAccount.map(({ eventId }) => eventId)).toEqual(left.toReversed())
      const since = T + 55 * HOUR
      expect(await deliveriesOf(store, { account: 'acme', since })).toHaveLength(6)
      expect(await eventsOf(store, { since })).toHaveLength(6)
      const seen = await store.logPage({ since: 0, after: null, rowsOf: 'erp', limit: 99 })
      expect(seen.events.map(({ event }) => event.id)).toEqual(left)
      expect(await store.changesSeen('acme', { since, most: 99 })).toHaveLength(1)
    })

    test('what can be sent again is counted without what was dropped', async () => {
      await ring(store, [nth(1), nth(2), nth(3)], ['erp'])
      await ringLast()
      await end('erp', { kind: 'exhausted' }, T + HOUR)
      await end('erp', { kind: 'exhausted' }, T + DAY)
      await end('erp', { kind: 'exhausted' }, T + 3 * DAY)
      const query = { subscription: 'erp', states: ['exhausted'], since: 0, after: null } as const
      expect(await sweep(store, T + DAY)).toBe(2)
      expect(await store.countRetryable(query)).toEqual({ amount: 1, after: null })
      await store.expirePayloads({ before: T + 3 * DAY, now: T, after: null, limit: 9 })
      expect(await store.countRetryable(query)).toEqual({ amount: 0, after: null })
    })

    test('the provenance of other events stays, and that of later ones is their own', async () => {
      await store.commit(batch({ events: [nth(1), nth(2)], provenance: seenBy(1) }))
      await store.commit(batch({ events: [nth(3)], provenance: seenBy(2) }))
      expect(await sweep(store, T + HOUR)).toBe(1)
      expect((await store.story('evt_2'))?.provenance?.pass?.number).toBe(1)
      expect(await sweep(store, T + 2 * HOUR)).toBe(1)
      await store.commit(batch({ events: [nth(4)], provenance: seenBy(3) }))
      await store.commit(batch({ events: [nth(5)], provenance: seenBy(4) }))
      for (const [id, number] of [
        ['evt_3', 2],
        ['evt_4', 3],
        ['evt_5', 4],
      ] as const)
        expect((await store.story(id))?.provenance?.pass?.number).toBe(number)
    })

    test('it is known until when something was dropped', async () => {
      await ring(store, [nth(1)], [])
      await ringLast()
      expect((await store.logEnds()).droppedTo).toBeNull()
      await sweep(store, T)
      expect((await store.logEnds()).droppedTo).toBeNull()
      await sweep(store, T + DAY)
      await sweep(store, T + DAY - 1)
      expect((await store.logEnds()).droppedTo).toBe(T + DAY)
    })

    test('a row that was discarded while its attempt is under way waits for that to end', async () => {
      await ring(store, [nth(1)], ['ops'])
      await ringLast()
      const [row] = await store.claim({ owner: 'one', now: T, leaseMs: 1_000, slots: new Map([['ops', 1]]) })
      await store.disable('ops', { reason: 'gone', at: T })
      await store.discard('ops', T + 1)
      expect(await sweep(store, T + DAY)).toBe(0)
      await store.settle('one', [{ id: row?.id ?? '', attempt: success(), result: { kind: 'delivered' } }])
      expect(await sweep(store, T + DAY)).toBe(1)
    })
  })
}
