import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import type { ShipbellEvent } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { NO_CLOCK_IS_SET, Polling, shipment, WATCH } from './polling.ts'
import { deliveriesOf } from '../support/log-rows.ts'
import { failFrom } from './poison.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const MINUTE = 60_000
const INVOICES = { ...WATCH.invoices, dueSoonMs: [7 * DAY, DAY] }
const onlyInvoices = { watch: { invoices: INVOICES } }

const MIDNIGHT = '2026-11-22T00:00Z'

/** The fake clock starts on 2026-11-21 at 08:00 UTC. */
function invoice(id: string, due_date: string, fields: JsonObject = {}): JsonObject {
  return { reference: id, platform_shipment_id: 'SHP-1', type: 'invoice', status: 'available', due_date, ...fields }
}

/** A shipment expected to be delivered on a date. */
function expected(date: string, fields: JsonObject = {}): JsonObject {
  return shipment('SHP-1', { main_tracking_dates: { delivery_date: { date, status: 'estimated' } }, ...fields })
}

async function baselined(
  invoices: JsonObject[],
  settings: Partial<AccountSettings> = onlyInvoices,
  sleep = {},
): Promise<Polling> {
  const polling = new Polling(settings, sleep)
  polling.platform.invoices = invoices
  await polling.pass()
  return polling
}

/** Lets time pass while no daemon runs. */
async function sleepUntil(polling: Polling, instant: string): Promise<void> {
  await polling.clock.advance(Date.parse(instant) - polling.clock.now())
}

/** One process goes on: passes as `once` makes them, so many hours after the due day began. */
async function onceAt(polling: Polling, hours: number): Promise<void> {
  polling.clock.jump(Date.parse(MIDNIGHT) + hours * HOUR)
  const ended = new AbortController()
  const passing = polling.poller.once(new AbortController().signal).finally(() => ended.abort())
  while (!ended.signal.aborted) await polling.clock.advance(polling.clock.nextWakeAt === null ? 0 : 1_000)
  await passing
}

async function rung(polling: Polling): Promise<readonly ShipbellEvent[]> {
  return (await polling.events()).filter(({ cause }) => cause === 'calendar')
}

async function emitted(polling: Polling): Promise<readonly string[]> {
  return (await rung(polling)).map(({ type, subject }) => `${type} ${subject.id}`)
}

function fetches(polling: Polling, id = 'INV-1'): number {
  return polling.platform.asked.filter(({ what }) => what === `invoice/${id}`).length
}

describe('due dates', () => {
  test('ring within seconds of midnight, each after a fetch by id, and once', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    await sleepUntil(polling, '2026-11-21T23:50Z')
    await polling.run(9 * MINUTE)
    expect([await emitted(polling), fetches(polling)]).toEqual([[], 0])
    await polling.run(10 * MINUTE)
    const [due, ...rest] = await rung(polling)
    expect(rest).toEqual([])
    expect(due).toMatchObject({ type: 'invoice.due', cause: 'calendar', observed: null, account: 'acme' })
    expect(due?.extras).toEqual({ reason: 'date', due_date: '2026-11-22', at: '2026-11-22T00:00:00.000Z' })
    expect((due?.timestamp ?? 0) - Date.UTC(2026, 10, 22)).toBeLessThan(1_000)
    expect(fetches(polling)).toBe(1)
    await sleepUntil(polling, '2026-11-22T23:59Z')
    await polling.run(2 * MINUTE)
    expect(await emitted(polling)).toEqual(['invoice.due INV-1', 'invoice.overdue INV-1'])
  })

  test('become deliveries like any other event', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    await sleepUntil(polling, MIDNIGHT)
    await polling.run(2 * MINUTE)
    const deliveries = await deliveriesOf(polling.store, { limit: 9 })
    const [due] = await rung(polling)
    expect(deliveries.map(({ eventId }) => eventId)).toContain(due?.id)
  })

  test('tell the shipment that the invoice belongs to', async () => {
    const settings = { watch: { shipments: WATCH.shipments, invoices: INVOICES } }
    await using polling = new Polling(settings)
    polling.platform.shipments = [shipment('SHP-1')]
    polling.platform.invoices = [invoice('INV-1', '2026-11-22')]
    await polling.pass()
    await sleepUntil(polling, MIDNIGHT)
    await polling.run(2 * MINUTE)
    expect((await rung(polling))[0]?.shipment).toMatchObject({ id: 'SHP-1', status: 'booked' })
  })

  test('follow the zone of the account', async () => {
    const settings = { ...onlyInvoices, timeZone: 'Pacific/Kiritimati' }
    await using polling = await baselined([invoice('INV-1', '2026-11-22')], settings)
    await sleepUntil(polling, '2026-11-21T09:58Z')
    await polling.run(MINUTE)
    expect(await emitted(polling)).toEqual([])
    await polling.run(2 * MINUTE)
    expect(await emitted(polling)).toEqual(['invoice.due INV-1'])
  })

  test('that passed before the baseline stay silent, and nothing is asked', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-01'), invoice('INV-2', '2026-11-24')])
    await polling.run(2 * MINUTE)
    expect(await emitted(polling)).toEqual([])
    expect(fetches(polling) + fetches(polling, 'INV-2')).toBe(0)
  })

  test('that pass while the baseline is read ring once it is complete', async () => {
    await using polling = new Polling(onlyInvoices)
    polling.platform.invoices = [invoice('INV-1', '2026-11-22')]
    polling.platform.mostRows = 1
    failFrom(polling, 'invoices?skip=1')
    await polling.pass()
    await sleepUntil(polling, MIDNIGHT)
    await polling.run(2 * MINUTE)
    expect([await emitted(polling), fetches(polling)]).toEqual([[], 0])
    polling.platform.trouble = () => null
    await polling.run(10 * MINUTE)
    expect(await emitted(polling)).toEqual(['invoice.due INV-1'])
  })

  test('of a new invoice: its creation, then its latest edge', async () => {
    await using polling = await baselined([])
    polling.platform.invoices = [invoice('INV-1', '2026-11-10')]
    await polling.pass()
    await polling.pass()
    const types = (await polling.types()).filter((type) => type.startsWith('invoice'))
    expect(types).toEqual(['invoice.created', 'invoice.overdue'])
  })

  test('of many invoices ring one round after another, without a pause', { tags: 'long' }, async () => {
    await using polling = await baselined(Array.from({ length: 320 }, (_, n) => invoice(`INV-${n}`, '2026-11-22')))
    await sleepUntil(polling, MIDNIGHT)
    await polling.run(5_000)
    expect(new Set(await emitted(polling)).size).toBe(320)
  })

  test('of a new invoice ring as soon as the pass that showed it has ended', async () => {
    await using polling = await baselined([])
    const stop = new AbortController()
    const running = polling.poller.run(stop.signal)
    await polling.clock.advance(10_000)
    polling.platform.invoices = [invoice('INV-1', '2026-11-10')]
    await polling.clock.advance(90_000)
    stop.abort()
    await running
    const [created, overdue] = (await polling.events()).filter(({ subject }) => subject.id === 'INV-1')
    expect(overdue?.type).toBe('invoice.overdue')
    expect((overdue?.timestamp ?? 0) - (created?.timestamp ?? 0)).toBeLessThan(1_000)
  })

  test('of invoices that are not watched any more ring nothing', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    await polling.restart({ watch: { shipments: WATCH.shipments } })
    await sleepUntil(polling, MIDNIGHT)
    await polling.run(10 * MINUTE)
    expect(await emitted(polling)).toEqual([])
  })
})

describe('after downtime', () => {
  test('every missed date is caught up once, and says how late', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    await polling.clock.advance(3 * DAY)
    await polling.restart()
    await polling.run(60_000)
    await polling.restart()
    await polling.run(10 * MINUTE)
    const events = await rung(polling)
    expect(events.map(({ type }) => type)).toEqual(['invoice.due', 'invoice.overdue'])
    expect(events.map(({ extras }) => typeof extras.late_by)).toEqual(['number', 'number'])
    expect(events[1]?.extras).toMatchObject({ days_overdue: 2, at: '2026-11-23T00:00:00.000Z' })
  })

  test('an invoice that was paid meanwhile rings its payment and no date', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    await polling.clock.advance(3 * DAY)
    polling.platform.invoices = [invoice('INV-1', '2026-11-22', { status: 'paid' })]
    await polling.restart()
    await polling.run(10 * MINUTE)
    const types = (await polling.types()).filter((type) => type.startsWith('invoice'))
    expect(types).toEqual(['invoice.status_changed'])
  })

  test('a milestone waits for a read that still does not show it', async () => {
    const record = shipment('SHP-1', {
      main_tracking_dates: { arrival_date: { date: '2026-11-22T00:00:00Z', status: 'estimated' } },
    })
    await using polling = new Polling({ watch: { shipments: WATCH.shipments } })
    polling.platform.shipments = [record]
    await polling.pass()
    await polling.clock.advance(3 * DAY)
    const arrived = { arrival_date: { date: '2026-11-22T03:00:00Z', status: 'actual' } }
    polling.platform.shipments = [{ ...record, main_tracking_dates: arrived }]
    await polling.restart()
    await polling.run(10 * MINUTE)
    expect((await polling.types()).filter((type) => type.startsWith('shipment'))).toEqual(['shipment.arrived'])
  })
})

describe('verification', () => {
  test('a fetch that says paid rings nothing, and the list tells the rest', { tags: 'long' }, async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    polling.platform.found.set('invoice/INV-1', invoice('INV-1', '2026-11-22', { status: 'paid' }))
    await sleepUntil(polling, MIDNIGHT)
    await polling.run(10 * MINUTE)
    expect(await emitted(polling)).toEqual([])
    expect(fetches(polling)).toBeGreaterThan(1)
    expect(fetches(polling)).toBeLessThan(10)
    polling.platform.invoices = [invoice('INV-1', '2026-11-22', { status: 'paid' })]
    await polling.run(10 * MINUTE)
    expect((await polling.types()).filter((type) => type.startsWith('invoice'))).toEqual(['invoice.status_changed'])
  })

  test('a fetch that says another due date rings nothing', { tags: 'long' }, async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    polling.platform.found.set('invoice/INV-1', invoice('INV-1', '2026-12-22'))
    await sleepUntil(polling, MIDNIGHT)
    await polling.run(10 * MINUTE)
    expect(await emitted(polling)).toEqual([])
  })

  test.each(['rejected', 'forbidden', 'broken'] as const)(
    'a fetch that never answers (%s) proves nothing, however long ago the date passed: it waits',
    async (kind) => {
      await using polling = await baselined([invoice('INV-1', '2026-11-22')])
      polling.platform.trouble = (what) => (what === 'invoice/INV-1' ? { kind } : null)
      for (const hours of [72, 96, 98, 121, 146]) await onceAt(polling, hours)
      expect(await emitted(polling)).toEqual([])
      polling.platform.trouble = () => null
      await onceAt(polling, 147)
      expect(await emitted(polling)).toEqual(['invoice.due INV-1', 'invoice.overdue INV-1'])
    },
  )

  test('a list that fetches contradict decides after a day of it, which is said once', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    polling.platform.found.set('invoice/INV-1', invoice('INV-1', '2026-12-22'))
    for (const hours of [0, 23]) await onceAt(polling, hours)
    await polling.restart()
    for (const hours of [24, 30, 47]) await onceAt(polling, hours)
    expect(await emitted(polling)).toEqual([])
    for (const hours of [49, 50]) await onceAt(polling, hours)
    expect(await emitted(polling)).toEqual(['invoice.due INV-1', 'invoice.overdue INV-1'])
    const events = await polling.events()
    const [rejected, ...more] = events.filter(({ type }) => type === 'account.record_rejected')
    expect([rejected?.extras.reason, more]).toEqual([expect.stringContaining('the list was believed'), []])
    const overdue = events.find(({ type }) => type === 'invoice.overdue')
    const { provenance } = (await polling.store.story(overdue?.id ?? '')) ?? {}
    expect(provenance).toMatchObject({ overruled: true, exchanges: [{ status: 200 }] })
    expect(provenance?.pass?.number).toBeGreaterThan(1)
  })

  test('a fetch that contradicts the list is not overruled by those after it that fail', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    polling.platform.found.set('invoice/INV-1', invoice('INV-1', '2026-12-22'))
    await onceAt(polling, 0)
    polling.platform.trouble = (what) => (what === 'invoice/INV-1' ? { kind: 'broken' } : null)
    for (const hours of [1, 23, 25, 26]) await onceAt(polling, hours)
    expect(await emitted(polling)).toEqual([])
  })

  test(
    'after downtime a fetch that contradicts the list is asked again: the list is not believed at once',
    { tags: 'long' },
    async () => {
      await using polling = await baselined([invoice('INV-1', '2026-11-22')])
      await polling.clock.advance(3 * DAY)
      polling.platform.found.set('invoice/INV-1', invoice('INV-1', '2026-11-22', { status: 'paid' }))
      await polling.restart()
      await polling.run(25 * MINUTE)
      const passes = await polling.poller.once(new AbortController().signal)
      expect(passes.find(({ resource }) => resource === 'calendar')?.incomplete).toMatch(/1 invoices/)
      expect(await emitted(polling)).toEqual([])
    },
  )

  test('a due date that moves into the past is not believed before a fetch confirms it', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-12-20')])
    polling.platform.invoices = [invoice('INV-1', '2026-11-15')]
    polling.platform.found.set('invoice/INV-1', invoice('INV-1', '2026-12-15'))
    await polling.run(25 * MINUTE)
    expect(await emitted(polling)).toEqual([])
  })

  test('a list that changes its mind within the day is believed at once', { tags: 'long' }, async () => {
    const seldom = { watch: { invoices: { ...INVOICES, everyMs: 10 * MINUTE } } }
    await using polling = await baselined([invoice('INV-1', '2026-11-22')], seldom, NO_CLOCK_IS_SET)
    polling.platform.found.set('invoice/INV-1', invoice('INV-1', '2026-11-22', { status: 'paid' }))
    await sleepUntil(polling, '2026-11-22T23:30Z')
    await polling.run(20 * MINUTE)
    polling.platform.invoices = [invoice('INV-1', '2026-11-22', { status: 'paid' })]
    await polling.run(3 * HOUR)
    expect(await emitted(polling)).toEqual([])
  })

  test('what a fetch shows differently is no change: records are compared from list rows', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    polling.platform.found.set('invoice/INV-1', invoice('INV-1', '2026-11-22', { pdf: 'x', status: 'new' }))
    await sleepUntil(polling, MIDNIGHT)
    await polling.run(10 * MINUTE)
    expect((await polling.types()).filter((type) => type.startsWith('invoice'))).toEqual(['invoice.due'])
    expect((await rung(polling))[0]?.object).toEqual(invoice('INV-1', '2026-11-22'))
  })

  test('where a fetch answers 404 the next complete pass that meets the invoice verifies it', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    polling.platform.hides = (what) => what.startsWith('invoice/')
    await sleepUntil(polling, '2026-11-21T23:59:30Z')
    const stop = new AbortController()
    const running = polling.poller.run(stop.signal)
    await polling.clock.advance(50_000)
    expect(fetches(polling)).toBeGreaterThan(0)
    expect(await emitted(polling)).toEqual([])
    await polling.clock.advance(20_000)
    stop.abort()
    await running
    expect(await emitted(polling)).toEqual(['invoice.due INV-1'])
  })

  test('what a pass has verified is verified anew for the next date, also where the process slept in between', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    polling.platform.hides = (what) => what.startsWith('invoice/')
    const { signal } = new AbortController()
    polling.clock.jump(Date.parse(MIDNIGHT))
    await polling.poller.once(signal)
    expect(await emitted(polling)).toEqual(['invoice.due INV-1'])
    polling.platform.invoices = [invoice('INV-1', '2026-11-22', { status: 'paid' })]
    polling.clock.jump(Date.parse(MIDNIGHT) + DAY)
    await polling.poller.once(signal)
    expect(await emitted(polling)).toEqual(['invoice.due INV-1'])
  })

  test('`once` verifies by its own pass what a fetch before it did not find', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    polling.platform.hides = (what) => what.startsWith('invoice/')
    await polling.clock.advance(20 * HOUR)
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['invoice.due'])
    const known = (await polling.store.known('acme', 'invoice', ['INV-1'])).get('INV-1')
    expect(known?.contentHash).toBeTypeOf('string')
  })

  test('an invoice that neither a fetch nor a list shows rings nothing', { tags: 'long' }, async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22'), invoice('INV-2', '2027-11-22')])
    polling.platform.hides = (what) => what.startsWith('invoice/')
    polling.platform.invoices = [invoice('INV-2', '2027-11-22')]
    await sleepUntil(polling, MIDNIGHT)
    await polling.run(20 * MINUTE)
    expect(await emitted(polling)).toEqual([])
  })

  test('an invoice whose fetch always fails waits, and holds up no other', { tags: 'long' }, async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22'), invoice('INV-2', '2026-11-22')])
    polling.platform.trouble = (what) => (what === 'invoice/INV-1' ? { kind: 'broken' } : null)
    await sleepUntil(polling, MIDNIGHT)
    await polling.run(10 * MINUTE)
    expect(await emitted(polling)).toEqual(['invoice.due INV-2'])
    polling.platform.trouble = () => null
    await polling.run(10 * MINUTE)
    expect(await emitted(polling)).toEqual(['invoice.due INV-2', 'invoice.due INV-1'])
  })

  test('a crowd in doubt neither spins nor holds up those behind it', { tags: 'long' }, async () => {
    await using polling = await baselined([invoice('INV-0', '2027-01-01')])
    const crowd = Array.from({ length: 150 }, (_, n) => invoice(`INV-${n + 1}`, '2026-11-01'))
    polling.platform.invoices = [...crowd, invoice('INV-999', '2026-11-15')]
    await polling.pass()
    polling.platform.invoices = polling.platform.invoices.filter(({ reference }) => reference === 'INV-999')
    polling.platform.hides = (what) => what.startsWith('invoice/') && what !== 'invoice/INV-999'
    await polling.restart()
    polling.platform.asked.length = 0
    await polling.run(10 * MINUTE)
    expect(await emitted(polling)).toContain('invoice.overdue INV-999')
    expect(fetches(polling, 'INV-150')).toBeLessThan(20)
  })

  test('`once` rings everything that is due, however much it is', { tags: 'long' }, async () => {
    await using polling = await baselined([invoice('INV-0', '2027-01-01')])
    polling.platform.invoices = Array.from({ length: 250 }, (_, n) => invoice(`INV-${n}`, '2026-11-15'))
    await polling.pass()
    expect((await emitted(polling)).filter((each) => each.startsWith('invoice.overdue'))).toHaveLength(250)
  })

  test('`once` says how many invoices could not be verified', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    await sleepUntil(polling, '2026-11-22T01:00Z')
    polling.platform.trouble = (what) => (what.startsWith('invoice/') ? { kind: 'rejected' } : null)
    const passes = await polling.poller.once(new AbortController().signal)
    expect(passes.find(({ resource }) => resource === 'calendar')?.incomplete).toMatch(/1 invoices/)
  })

  test('an invoice that was overdue at the baseline stays silent after a removal and a return', async () => {
    const old = invoice('INV-1', '2026-11-15')
    await using polling = await baselined([old, invoice('INV-2', '2027-01-01')])
    polling.platform.invoices = [invoice('INV-2', '2027-01-01')]
    await polling.pass()
    await polling.pass()
    polling.platform.invoices = [old, invoice('INV-2', '2027-01-01')]
    await polling.pass()
    await polling.pass()
    expect(await polling.types()).toEqual(['account.baseline_completed', 'invoice.removed', 'invoice.restored'])
  })

  test('an outage over midnight delays the ring and loses nothing', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    await sleepUntil(polling, '2026-11-21T23:59Z')
    polling.platform.trouble = () => ({ kind: 'unreachable' })
    await polling.run(30 * MINUTE)
    expect(await emitted(polling)).toEqual([])
    polling.platform.trouble = () => null
    await polling.run(10 * MINUTE)
    const [due] = await rung(polling)
    expect(due).toMatchObject({ type: 'invoice.due', extras: { at: '2026-11-22T00:00:00.000Z' } })
    expect(Number(due?.extras.late_by)).toBeGreaterThanOrEqual(29)
  })

  test('a due date that moves between the fetch and the ring has not been verified', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    const known = (await polling.store.records('acme', 'invoice', ['INV-1'])).get('INV-1')
    const seen = invoice('INV-1', '2026-11-21')
    let moves = 0
    polling.platform.afterEach = (what) => {
      if (what !== 'invoice/INV-1' || moves > 0 || known === undefined) return
      moves += 1
      const write = { state: { ...known, seen, reported: seen }, contentHash: null, before: known } as const
      void polling.store.commit({
        account: 'acme',
        records: [write],
        changes: [],
        dates: [],
        events: [],
        deliveries: [],
      })
    }
    await sleepUntil(polling, MIDNIGHT)
    polling.platform.trouble = (what) =>
      what.startsWith('invoices?') ? { kind: 'throttled', retryAfterMs: 60_000 } : null
    const stop = new AbortController()
    const running = polling.poller.run(stop.signal)
    await polling.clock.advance(2_000)
    expect([moves, await emitted(polling)]).toEqual([1, []])
    stop.abort()
    await running
  })
})

describe('settings', () => {
  test('another zone moves the edges of what is known, without a new read of it', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    await polling.restart({ ...onlyInvoices, timeZone: 'Pacific/Kiritimati' })
    await sleepUntil(polling, '2026-11-21T09:55Z')
    await polling.run(4 * MINUTE)
    expect(await emitted(polling)).toEqual([])
    await polling.run(4 * MINUTE)
    expect((await rung(polling)).map(({ extras }) => extras.at)).toEqual(['2026-11-21T10:00:00.000Z'])
  })

  test('new leads start with their next edge', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-25')])
    await polling.restart({ watch: { invoices: { ...INVOICES, dueSoonMs: [10 * DAY, 2 * DAY] } } })
    await polling.run(2 * MINUTE)
    expect(await emitted(polling)).toEqual([])
    await sleepUntil(polling, '2026-11-23T00:00Z')
    await polling.run(2 * MINUTE)
    expect((await rung(polling)).map(({ extras }) => extras.lead)).toEqual(['2d'])
  })
})

describe('clocks', () => {
  test('a wall clock set forth and back again rings nothing twice', { tags: 'long' }, async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    const now = polling.clock.now()
    polling.clock.jump(now + 2 * DAY)
    await polling.run(10 * 60_000)
    polling.clock.jump(now)
    await polling.run(2 * MINUTE)
    for (const day of [MIDNIGHT, '2026-11-23T00:00Z', '2026-11-24T00:00Z']) {
      await sleepUntil(polling, day)
      await polling.run(2 * MINUTE)
    }
    expect(await emitted(polling)).toEqual(['invoice.due INV-1', 'invoice.overdue INV-1'])
  })

  test('a retry that was set while the clock was an hour ahead does not wait for that hour', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    await sleepUntil(polling, '2026-11-22T12:00Z')
    polling.platform.found.set('invoice/INV-1', invoice('INV-1', '2026-11-23'))
    polling.clock.jump(Date.parse('2026-11-22T13:00Z'))
    const stop = new AbortController()
    const running = polling.poller.run(stop.signal)
    await polling.clock.advance(1_000)
    expect(fetches(polling)).toBe(1)
    polling.clock.jump(Date.parse('2026-11-22T12:00Z'))
    polling.platform.found.clear()
    stop.abort()
    await running
    await polling.run(10_000)
    expect(await emitted(polling)).toEqual(['invoice.due INV-1'])
  })

  test('a clock set forth while the loop sleeps is noticed within half a minute', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    const stop = new AbortController()
    const running = polling.poller.run(stop.signal)
    await polling.clock.advance(1_000)
    polling.clock.jump(Date.UTC(2026, 10, 22, 12))
    await polling.clock.advance(30_000)
    expect(await emitted(polling)).toEqual(['invoice.due INV-1'])
    stop.abort()
    await running
  })

  test('a calendar of its own that runs a thousand times faster is followed', async () => {
    await using polling = await baselined([invoice('INV-1', '2026-11-22')])
    const start = polling.clock.now()
    polling.clock.calendarNow = () => start + (polling.clock.now() - start) * 1_000
    await polling.run(60_000)
    const [due] = await rung(polling)
    expect(due?.type).toBe('invoice.due')
    expect(due?.extras.at).toBe('2026-11-22T00:00:00.000Z')
    const seconds = ((due?.timestamp ?? 0) - start) / 1_000
    expect(seconds).toBeGreaterThan(57)
    expect(seconds).toBeLessThan(59)
  })
})

describe('shipments', () => {
  const settings = { watch: { shipments: WATCH.shipments } }
  test('a milestone that is overdue rings after the grace, without a fetch', async () => {
    await using polling = new Polling(settings)
    polling.platform.shipments = [expected('2026-11-21T12:00:00Z')]
    await polling.pass()
    await sleepUntil(polling, '2026-11-22T11:55Z')
    await polling.run(4 * MINUTE)
    expect(await emitted(polling)).toEqual([])
    await polling.run(4 * MINUTE)
    const [overdue, ...rest] = await rung(polling)
    expect(rest).toEqual([])
    expect(overdue).toMatchObject({
      type: 'shipment.milestone_overdue',
      extras: { milestone: 'delivery', hours_late: 24 },
    })
    expect(polling.platform.asked.some(({ what }) => what === 'shipment/SHP-1')).toBe(false)
  })

  test('a delivery at risk rings with the read that shows it', async () => {
    await using polling = new Polling(settings)
    const desired = { desired_delivery_date: '2026-12-20' }
    polling.platform.shipments = [expected('2026-12-20T12:00:00Z', desired)]
    await polling.pass()
    polling.platform.shipments = [expected('2026-12-22T12:00:00Z', desired)]
    const types = (await polling.pass()).map(({ type }) => type)
    expect(types).toEqual(['shipment.delivery_date_changed', 'shipment.delivery_at_risk'])
    polling.platform.shipments = [expected('2026-12-19T12:00:00Z', desired)]
    expect((await polling.pass()).map(({ type }) => type)).toContain('shipment.delivery_back_on_track')
  })
})
