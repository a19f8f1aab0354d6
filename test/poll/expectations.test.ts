import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import type { ExpectationRule } from '../../src/model/expectation.ts'
import { textField, type JsonObject } from '../../src/model/json.ts'
import { failing } from './failing-items.ts'
import { Polling, shipment, trackingOf, WATCH, WATCH_MORE } from './polling.ts'

const DAY = 86_400_000
const MINUTE = 60_000

const PACKING_LIST: ExpectationRule = {
  name: 'packing-list',
  about: 'shipment',
  when: 'shipment.status in ["booked", "in_progress"]',
  by: 'before(shipment.main_tracking_dates.departure_date, "3d")',
  until: 'documents.exists(d, d.type == "packing_list")',
  severity: 'warning',
}
const QUIET: ExpectationRule = {
  ...PACKING_LIST,
  name: 'tracking-quiet',
  by: 'after(last_change("tracking"), "7d")',
  until: 'false',
}

function settings(...expectations: readonly ExpectationRule[]): Partial<AccountSettings> {
  const { shipments, tracking } = WATCH
  const { documents } = WATCH_MORE
  return { expectations, watch: { shipments, documents, ...(expectations.includes(QUIET) && { tracking }) } }
}

/** The fake clock starts on 2026-11-21 at 08:00 UTC. */
function departing(date: string | null, fields: JsonObject = {}): JsonObject {
  return shipment('SHP-1', {
    main_tracking_dates: { departure_date: date === null ? null : { date, status: 'planned' } },
    ...fields,
  })
}

function document(id: string, type = 'packing_list', fields: JsonObject = {}): JsonObject {
  return { id, name: `${id}.pdf`, type, platform_shipment_id: 'SHP-1', ...fields }
}

async function baselined(shown: JsonObject, ...rules: readonly ExpectationRule[]): Promise<Polling> {
  const polling = new Polling(settings(...rules))
  polling.platform.shipments = [shown]
  polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
  await polling.pass()
  return polling
}

async function rung(polling: Polling): Promise<readonly string[]> {
  const events = (await polling.events()).filter(({ type }) => type.startsWith('expectation.'))
  return events.map(({ extras, subject, type }) => {
    const more = textField(extras, 'reason') ?? textField(extras, 'late_by') ?? ''
    return `${type.slice('expectation.'.length)} ${textField(extras, 'expectation')} ${subject.id} ${more}`.trim()
  })
}

async function open(polling: Polling): Promise<readonly string[]> {
  const page = await polling.store.exceptionPage({ states: ['open'], limit: 9, now: polling.clock.now() })
  return page.items
    .map(({ eventId, expectation }) => `${expectation} ${eventId === null ? 'silent' : 'told'}`)
    .toSorted()
}

async function standing(polling: Polling): Promise<Record<string, string>> {
  const records = await polling.store.expectedRecords('acme', { which: 'all', after: null, most: 99 })
  return Object.fromEntries(
    records.flatMap(({ states }) => Object.entries(states).map(([name, { state }]) => [name, state])),
  )
}

describe('an expectation', () => {
  test(
    'of a tracking that was never read is judged once its shipment closes, whatever the rule reads of it',
    { tags: 'long' },
    async () => {
      const when = 'shipment.main_tracking_dates.departure_date != null'
      const rule = { ...QUIET, when, by: 'before(shipment.main_tracking_dates.departure_date, "9d")' }
      const until = 'tracking.platform_shipment_id != null'
      const { shipments, tracking } = WATCH
      await using polling = new Polling({ expectations: [{ ...rule, until }], watch: { shipments, tracking } })
      failing(polling, (id) => id === 'SHP-1')
      polling.platform.shipments = [departing('2026-11-24T08:10:00Z', { status: 'booked' }), shipment('SHP-2')]
      polling.platform.tracking.set('SHP-2', trackingOf('SHP-2', 'Gate in'))
      await polling.run(10 * MINUTE)
      expect(await standing(polling)).toEqual({ 'tracking-quiet': 'waiting' })
      polling.platform.shipments = [departing('2026-11-24T08:10:00Z', { status: 'finished' }), shipment('SHP-2')]
      await polling.run(10 * MINUTE)
      expect(await standing(polling)).toEqual({ 'tracking-quiet': 'missed' })
    },
  )

  test('is missed once its instant has come and everything it looks at was read since, and met once it happens', async () => {
    await using polling = await baselined(departing('2026-11-24T08:10:00Z'), PACKING_LIST)
    expect([await rung(polling), await standing(polling)]).toEqual([[], { 'packing-list': 'waiting' }])
    await polling.run(9 * MINUTE)
    expect(await rung(polling)).toEqual([])
    await polling.run(3 * MINUTE)
    expect(await rung(polling)).toEqual(['missed packing-list SHP-1'])
    expect(await open(polling)).toEqual(['packing-list told'])
    const missed = (await polling.events()).find(({ type }) => type === 'expectation.missed')
    expect(missed).toMatchObject({
      cause: 'calendar',
      observed: null,
      changes: null,
      subject: { resource: 'shipment', version: 1 },
      extras: { expectation: 'packing-list', by: '2026-11-21T08:10:00.000Z', at: '2026-11-21T08:10:00.000Z' },
      shipment: { id: 'SHP-1' },
    })
    polling.platform.documents = [document('1'), document('2', 'cmr')]
    await polling.run(2 * MINUTE)
    const late = (await rung(polling)).at(-1) ?? ''
    expect(late).toMatch(/^met packing-list SHP-1 \d+$/)
    expect(await open(polling)).toEqual([])
    polling.platform.documents = [document('2', 'cmr')]
    await polling.run(5 * MINUTE)
    expect(await standing(polling)).toEqual({ 'packing-list': 'missed' })
  })

  test('that had passed at the baseline is open in silence, and ends in silence', async () => {
    await using polling = await baselined(departing('2026-11-22T09:00:00Z'), PACKING_LIST)
    expect([await rung(polling), await open(polling)]).toEqual([[], ['packing-list silent']])
    polling.platform.documents = [document('1')]
    await polling.run(3 * MINUTE)
    expect([await rung(polling), await open(polling)]).toEqual([[], []])
  })

  test('is withdrawn where its instant moves into the future, and may be missed anew', { tags: 'long' }, async () => {
    await using polling = await baselined(departing('2026-11-24T08:10:00Z'), PACKING_LIST)
    await polling.run(15 * MINUTE)
    polling.platform.shipments = [departing('2026-11-24T08:05:00Z')]
    await polling.run(3 * MINUTE)
    expect(await rung(polling)).toEqual(['missed packing-list SHP-1'])
    polling.platform.shipments = [departing('2026-11-24T08:30:00Z')]
    await polling.run(3 * MINUTE)
    polling.platform.shipments = [departing('2026-11-24T08:30:00Z', { status: 'cancelled' })]
    await polling.run(3 * MINUTE)
    polling.platform.shipments = [departing('2026-11-24T08:30:00Z')]
    await polling.run(10 * MINUTE)
    polling.platform.shipments = [departing('2026-11-24T08:30:00Z', { status: 'finished' })]
    await polling.run(3 * MINUTE)
    expect(await rung(polling)).toEqual([
      'missed packing-list SHP-1',
      'withdrawn packing-list SHP-1 moved',
      'missed packing-list SHP-1',
      'withdrawn packing-list SHP-1 no_longer_expected',
    ])
  })

  test('is missed within ten seconds of the read that decides', async () => {
    await using polling = await baselined(departing(null), PACKING_LIST)
    await polling.run(MINUTE)
    polling.platform.shipments = [departing('2026-11-24T08:00:00Z')]
    await polling.run(3 * MINUTE)
    const events = await polling.events()
    const at = (type: string) => events.find((event) => event.type === type)?.timestamp ?? 0
    expect(at('expectation.missed') - at('shipment.etd_changed')).toBeLessThanOrEqual(10_000)
  })

  test('goes by when a read last showed a change, which no event of its own moves', { tags: 'long' }, async () => {
    await using polling = await baselined(departing(null), QUIET)
    await polling.clock.advance(7 * DAY - 10 * MINUTE)
    await polling.run(9 * MINUTE)
    expect(await rung(polling)).toEqual([])
    await polling.run(5 * MINUTE)
    expect(await rung(polling)).toEqual(['missed tracking-quiet SHP-1'])
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in', 'Loaded'))
    await polling.run(3 * MINUTE)
    expect(await rung(polling)).toEqual(['missed tracking-quiet SHP-1', 'withdrawn tracking-quiet SHP-1 moved'])
  })

  test('whose instant a change puts off is judged once that has come, and at once where it is missed', async () => {
    await using polling = await baselined(departing(null), QUIET)
    const by = async () => {
      const [record] = await polling.store.expectedRecords('acme', { which: 'all', after: null, most: 9 })
      return record?.states['tracking-quiet']?.by ?? null
    }
    await polling.run(MINUTE)
    const first = await by()
    const show = async (...texts: readonly string[]): Promise<void> => {
      polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', ...texts))
      await polling.run(5 * MINUTE)
    }
    await polling.clock.advance(4 * DAY)
    await show('Gate in', 'Loaded')
    expect(await by()).toBe(first)
    await polling.clock.advance(5 * DAY)
    await polling.run(5 * MINUTE)
    expect([await rung(polling), Math.round(((await by()) ?? 0) / DAY - (first ?? 0) / DAY)]).toEqual([[], 4])
    await polling.clock.advance(2 * DAY)
    await polling.run(5 * MINUTE)
    expect(await rung(polling)).toEqual(['missed tracking-quiet SHP-1'])
    await polling.restart()
    await show('Gate in', 'Loaded', 'Departed')
    expect(await rung(polling)).toEqual(['missed tracking-quiet SHP-1', 'withdrawn tracking-quiet SHP-1 moved'])
  })

  test('follows a document that goes to another shipment', { tags: 'long' }, async () => {
    await using polling = await baselined(departing('2026-11-24T08:10:00Z'), PACKING_LIST)
    polling.platform.documents = [document('1')]
    await polling.run(20 * MINUTE)
    expect([await rung(polling), await standing(polling)]).toEqual([[], { 'packing-list': 'met' }])
    polling.platform.documents = [document('1', 'packing_list', { platform_shipment_id: 'SHP-2' })]
    await polling.run(5 * MINUTE)
    expect(await rung(polling)).toEqual(['missed packing-list SHP-1'])
  })

  test('whose rule changes or goes closes its exceptions in silence, and opens them so', { tags: 'long' }, async () => {
    await using polling = await baselined(departing('2026-11-24T08:10:00Z'), PACKING_LIST)
    await polling.run(15 * MINUTE)
    const told = await rung(polling)
    await polling.restart(
      settings({ ...PACKING_LIST, by: 'before(shipment.main_tracking_dates.departure_date, "4d")' }),
    )
    await polling.run(3 * MINUTE)
    expect([await rung(polling), await open(polling)]).toEqual([told, ['packing-list silent']])
    await polling.restart(settings(PACKING_LIST, { ...PACKING_LIST, name: 'other' }))
    await polling.run(3 * MINUTE)
    expect([await rung(polling), await open(polling)]).toEqual([told, ['other silent', 'packing-list silent']])
    await polling.restart(settings())
    await polling.run(3 * MINUTE)
    expect([await rung(polling), await open(polling)]).toEqual([told, []])
  })

  test('rings once after a downtime', { tags: 'long' }, async () => {
    await using polling = await baselined(departing('2026-11-25T08:00:00Z'), PACKING_LIST)
    await polling.run(MINUTE)
    await polling.clock.advance(5 * DAY)
    await polling.restart()
    await polling.run(5 * MINUTE)
    await polling.restart()
    await polling.run(5 * MINUTE)
    expect(await rung(polling)).toEqual(['missed packing-list SHP-1'])
  })

  test(
    'of a record that is removed is withdrawn, and what stands once it is back is silent',
    { tags: 'long' },
    async () => {
      await using polling = await baselined(departing('2026-11-24T08:10:00Z'), PACKING_LIST)
      polling.platform.shipments = [departing('2026-11-24T08:10:00Z'), shipment('SHP-2')]
      await polling.run(15 * MINUTE)
      polling.platform.shipments = [shipment('SHP-2')]
      await polling.run(10 * MINUTE)
      expect(await rung(polling)).toEqual(['missed packing-list SHP-1', 'withdrawn packing-list SHP-1 removed'])
      expect(await open(polling)).toEqual([])
      polling.platform.shipments = [departing('2026-11-24T08:10:00Z'), shipment('SHP-2')]
      await polling.run(10 * MINUTE)
      expect([(await rung(polling)).length, await open(polling)]).toEqual([2, ['packing-list silent']])
    },
  )

  test('of a shipment that comes later rings beside its creation, and one that fails says so', async () => {
    const failing = { ...PACKING_LIST, name: 'failing', by: 'after(shipment.name, "1d")' }
    await using polling = await baselined(shipment('SHP-0', { status: 'draft' }), PACKING_LIST, failing)
    polling.platform.shipments = [...polling.platform.shipments, departing('2026-11-22T08:00:00Z')]
    await polling.run(5 * MINUTE)
    expect(await rung(polling)).toEqual(['missed packing-list SHP-1'])
    const failed = await polling.store.expectedRecords('acme', { which: 'failing', after: null, most: 9 })
    expect(failed.map(({ failures, id }) => [id, failures])).toEqual([
      ['SHP-1', { failing: '"Shipment SHP-1" is no date.' }],
    ])
  })

  test('goes by the shipments of an order and the shipment of an invoice', { tags: 'long' }, async () => {
    const orders = {
      ...PACKING_LIST,
      name: 'assigned',
      about: 'purchase_order',
      when: 'shipments.all(s, s.status != "cancelled")',
      by: 'before(order.desired_ex_factory_date, "1d")',
      until: 'shipments.exists(s, s.status == "booked")',
    } as const
    const invoices = {
      ...PACKING_LIST,
      name: 'invoiced',
      about: 'invoice',
      when: 'shipment.status == "booked"',
      by: 'after(invoice.sent_date, "1h")',
      until: 'false',
    } as const
    const { purchase_orders } = WATCH_MORE
    const watch = { shipments: WATCH.shipments, invoices: WATCH.invoices, purchase_orders }
    await using polling = new Polling({ expectations: [orders, invoices], watch })
    polling.platform.shipments = [shipment('SHP-1', { status: 'draft' })]
    const invoice = { reference: 'INV-1', type: 'invoice', status: 'new', platform_shipment_id: 'SHP-1' }
    polling.platform.invoices = [{ ...invoice, sent_date: '2026-11-21T07:30:00Z' }]
    const line = { reference: 'L-1', assigned_order_lines: [{ platform_shipment_id: 'SHP-1' }] }
    const order = { po_number: 'PO-1', desired_ex_factory_date: '2026-11-21', purchase_order_lines: [line] }
    polling.platform.purchaseOrders = [order]
    await polling.pass()
    expect(await standing(polling)).toEqual({ assigned: 'missed' })
    polling.platform.purchaseOrders = [{ ...order, desired_ex_factory_date: '2026-12-21' }]
    await polling.run(2 * MINUTE)
    polling.platform.purchaseOrders = [order]
    await polling.clock.advance(30 * MINUTE)
    await polling.run(2 * MINUTE)
    expect(await rung(polling)).toEqual(['missed assigned PO-1'])
    polling.platform.shipments = [shipment('SHP-1')]
    await polling.run(3 * MINUTE)
    expect((await rung(polling)).slice(1).toSorted()).toEqual([
      expect.stringMatching(/^met assigned PO-1 \d+$/),
      'missed invoiced INV-1',
    ])
    polling.platform.shipments = [shipment('SHP-1', { status: 'draft' })]
    await polling.run(2 * MINUTE)
    expect((await rung(polling)).slice(3).toSorted()).toEqual([
      'missed assigned PO-1',
      'withdrawn invoiced INV-1 no_longer_expected',
    ])
  })
})
