import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countBySpan,
  EventTotals,
  freshEvents,
  hourOf,
  numberEvents,
  rangAt,
  spanOf,
  strayDelivery,
  sweptTo,
} from '../../src/ledger/events.ts'
import { runs } from '../support/runs.ts'
import { sampleEvent, T } from '../store/samples.ts'

const HOUR = 3_600_000

test('events that are stored, or given twice, are left out; the others keep their order', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => sampleEvent(id))
  const batch = { events: [a, b, a, c].filter((event) => event !== undefined), deliveries: [] }
  expect(freshEvents(batch, new Set(['b']))).toEqual([
    { event: a, storedAt: T },
    { event: c, storedAt: T },
  ])
  expect(freshEvents({ ...batch, storedAt: 5 }, new Set(['a', 'b']))).toEqual([{ event: c, storedAt: 5 }])
})

test('each series has its own numbers', () => {
  const accounts = ['acme', null, 'acme', 'beta']
  const fresh = accounts.map((account, nth) => ({ event: sampleEvent(`${nth}`, { account }), storedAt: T }))
  const { events, last } = numberEvents(fresh, new Map([['acme', 7]]))
  expect(events.map(({ sequence }) => sequence)).toEqual([8, 1, 9, 1])
  expect([...last]).toEqual([
    ['acme', 9],
    ['', 1],
    ['beta', 1],
  ])
})

test('a delivery is of an event of its batch, also of one that is stored', () => {
  const deliveries = [
    { eventId: 'a', subscription: 'erp' },
    { eventId: 'x', subscription: 'erp' },
  ]
  expect(strayDelivery({ events: [sampleEvent('a')], deliveries: deliveries.slice(0, 1) })).toBeUndefined()
  expect(strayDelivery({ events: [sampleEvent('a')], deliveries })).toEqual(deliveries[1])
})

test('a subject rang last when its last event did', () => {
  const events = [1, 2].map((storedAt) => ({ event: sampleEvent(`${storedAt}`), storedAt }))
  expect([...rangAt(events)]).toEqual([['shipment SHP-1', 2]])
})

test('totals count each event in its hour and its span, however they come', () => {
  const event = fc.record({
    account: fc.constantFrom('acme', 'beta', null),
    type: fc.constantFrom('shipment.created', 'shipment.updated'),
    resource: fc.constantFrom('shipment', 'invoice'),
    storedAt: fc.integer({ min: -2 * HOUR, max: 2 * HOUR }),
    cause: fc.constantFrom('change' as const, 'snapshot' as const),
  })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_000 }), fc.array(event, { maxLength: 30 }), (before, events) => {
      const totals = new EventTotals()
      const placed = events.map((each, index) => ({ ...each, ref: before + index * 300 + 1 }))
      for (const each of placed) totals.add(each)
      const counted = placed.filter(({ cause }) => cause === 'change')
      for (const { account, amount, hour, resource, type } of totals.all) {
        const alike = counted.filter(
          (each) =>
            each.account === account &&
            each.type === type &&
            each.resource === resource &&
            hourOf(each.storedAt) === hour,
        )
        expect(amount).toBe(alike.length)
        expect(hour % HOUR === 0).toBe(true)
      }
      expect(totals.all.reduce((sum, { amount }) => sum + amount, 0)).toBe(counted.length)
      // Who looks for what rang since an hour finds what is made for one subscription alone as well.
      for (const { first, hour } of totals.hours)
        expect(placed.find(({ storedAt }) => hourOf(storedAt) === hour)?.ref).toBe(first)
      expect(totals.hours).toHaveLength(new Set(placed.map(({ storedAt }) => hourOf(storedAt))).size)
      for (const { events: amount, newest, oldest, span } of totals.spans) {
        const times = placed.filter(({ ref }) => spanOf(ref) === span).map(({ storedAt }) => storedAt)
        expect([amount, oldest, newest]).toEqual([times.length, Math.min(...times), Math.max(...times)])
      }
      const bySpan = totals.spans.map(({ events: amount, span }) => [span, amount])
      expect([...countBySpan(placed.map(({ ref }) => ref))]).toEqual(bySpan)
    }),
    runs(100),
  )
})

test.each([
  ['fewer than were asked for', 3, null],
  ['as many as were asked for', 2, { storedAt: T + 1, ref: 8 }],
])('a sweep that looked at %s goes on where there may be more', (_, limit, end) => {
  const candidates = [
    { storedAt: T, ref: 9, ended: true },
    { storedAt: T + 1, ref: 8, ended: false },
  ]
  expect(sweptTo(candidates, limit)).toEqual(end)
})
