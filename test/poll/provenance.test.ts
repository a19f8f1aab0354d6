import { judgeHold } from '../support/judge-hold.ts'
import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { ruleOf } from '../../src/model/event-rule.ts'
import type { Exchange } from '../../src/model/exchange.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Provenance } from '../../src/model/provenance.ts'
import { Polling, shipment, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'
import { baselined, onlyShipments, without } from './known-shipments.ts'

const DAY = 86_400_000
const INVOICE = {
  reference: 'INV-1',
  platform_shipment_id: 'SHP-1',
  type: 'invoice',
  status: 'available',
  due_date: '2026-11-22',
}

function arriving(date: string): JsonObject {
  return { main_tracking_dates: { arrival_date: { date, status: 'estimated' } } }
}

async function provenanceOf(polling: Polling, event: ShipbellEvent | undefined): Promise<Provenance | null> {
  return (await polling.store.story(event?.id ?? ''))?.provenance ?? null
}

async function ruleIn(polling: Polling, event: ShipbellEvent | undefined): Promise<string | null> {
  return event === undefined ? null : ruleOf(event, await provenanceOf(polling, event))
}

/** The last event of a type. */
async function rung(polling: Polling, type: ShipbellEvent['type']): Promise<ShipbellEvent | undefined> {
  return (await polling.events()).findLast((event) => event.type === type)
}

/** The requests, as the platform was asked. */
function asked(polling: Polling, what: string, status = 200): Exchange {
  const at = polling.platform.asked.findLast((each) => each.what === what)?.at ?? 0
  return { method: 'GET', path: `/v1/${what}`, sentAt: at, answeredAt: at, status, bytes: 1 }
}

describe('the store keeps how an event came to be known', () => {
  test('the pass, and the page that showed it, for all events of that page', async () => {
    await using polling = await baselined(150)
    polling.platform.shipments[120] = shipment('SHP-121', { status: 'in_progress', invoice_status: 'x' })
    await polling.pass()
    const startedAt = (await polling.store.listState('acme', 'shipment')).passStartedAt
    const events = (await polling.events()).slice(1)
    expect(events.map(({ type }) => type)).toEqual(['shipment.status_changed', 'shipment.invoice_status_changed'])
    for (const event of events) {
      expect(await provenanceOf(polling, event)).toEqual({
        by: 'page',
        resource: 'shipment',
        exchanges: [asked(polling, 'shipments?skip=100')],
        why: { kind: 'once' },
        pass: { number: 2, startedAt },
        timeZone: 'UTC',
      })
    }
  })

  test('a baseline: the pass as a whole', async () => {
    await using polling = await baselined(150)
    const [event] = await polling.events()
    expect(await provenanceOf(polling, event)).toMatchObject({
      by: 'pass',
      resource: 'shipment',
      exchanges: [{ path: '/v1/shipments?skip=150' }],
      pass: { number: 1 },
    })
  })

  test('a tracking: the fetch by id, of no pass', async () => {
    await using polling = new Polling()
    polling.platform.shipments = shipments(1)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded'))
    await polling.pass()
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded', 'Sailed'))
    const [added] = await polling.pass()
    expect(await provenanceOf(polling, added)).toEqual({
      by: 'item',
      resource: 'tracking',
      exchanges: [asked(polling, 'tracking/SHP-1')],
      why: { kind: 'once' },
    })
  })

  test(
    'why the daemon read it when it did: a promise, what was likely, what the row of its shipment announced',
    { tags: 'long' },
    async () => {
      const budget = { requests: 6, perMs: 60_000, concurrency: 1, share: 1 }
      const watch = {
        shipments: { ...WATCH.shipments, everyMs: 300_000 },
        tracking: { ...WATCH.tracking, everyMs: 3_600_000 },
      }
      await using polling = new Polling({ budget, watch })
      polling.platform.shipments = shipments(2)
      polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded'))
      await polling.run(5 * 60_000)
      polling.platform.shipments[0] = shipment('SHP-1', { status: 'in_progress' })
      polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded', 'Sailed'))
      await polling.run(5 * 60_000)
      const added = await provenanceOf(polling, await rung(polling, 'tracking.event_added'))
      expect(added?.why).toEqual({ kind: 'announced' })
      const kinds = new Set<string | undefined>()
      const stop = new AbortController()
      const running = polling.poller.run(stop.signal)
      for (let change = 0; change < 30; change += 1) {
        polling.platform.shipments[1] = shipment('SHP-2', { name: `Change ${change}` })
        await polling.clock.advance(100_000)
        kinds.add((await provenanceOf(polling, await rung(polling, 'shipment.updated')))?.why?.kind)
      }
      stop.abort()
      await running
      expect([...kinds].toSorted((one = '', other = '') => one.localeCompare(other))).toEqual(['likely', 'promise'])
    },
  )

  test('a removal: the passes that missed it and the fetch that answered 404', async () => {
    await using polling = await baselined(10)
    without(polling, 'SHP-4')
    await polling.pass()
    const [removed] = await polling.pass()
    expect(await provenanceOf(polling, removed)).toMatchObject({
      by: 'absence',
      pass: { number: 3 },
      missed: { passes: 2, lastMetBy: 1, accepted: false },
      exchanges: [asked(polling, 'shipment/SHP-4', 404)],
    })
    expect(await ruleIn(polling, removed)).toBe(
      '2 complete passes in a row missed it and a fetch by its id answered 404.',
    )
  })

  test('a removal where no fetch works: three passes and no request', async () => {
    await using polling = await baselined(10)
    polling.platform.hides = () => true
    without(polling, 'SHP-4')
    await polling.pass()
    await polling.pass()
    const [removed] = await polling.pass()
    expect(await provenanceOf(polling, removed)).toMatchObject({ missed: { passes: 3, lastMetBy: 1 }, exchanges: [] })
    expect(await ruleIn(polling, removed)).toContain('no fetch by id has ever worked')
  })

  test('removals that a person accepted say so; their hold names the pass', async () => {
    await using polling = await baselined(20)
    polling.platform.shipments = polling.platform.shipments.slice(10)
    await polling.pass()
    const [held] = await polling.pass()
    expect(await provenanceOf(polling, held)).toMatchObject({ by: 'pass', resource: 'shipment', pass: { number: 3 } })
    await judgeHold(polling.store, { account: 'acme', resource: 'shipment' }, 'accept')
    const [removed] = await polling.pass()
    expect(await provenanceOf(polling, removed)).toMatchObject({ by: 'absence', missed: { accepted: true } })
    expect(await ruleIn(polling, removed)).toContain('`shipbell holds accept`')
  })

  test('an order preparation that is gone: the fetch by its reference', async () => {
    await using polling = new Polling({ watch: { order_preparations: WATCH_MORE.order_preparations } })
    polling.platform.orderPreparations.set('OP-1', { name: 'first' })
    await polling.pass()
    polling.platform.orderPreparations.clear()
    await polling.pass()
    const [removed] = await polling.pass()
    const exchanges = [asked(polling, 'order_preparation/OP-1', 404)]
    expect(await provenanceOf(polling, removed)).toEqual({ by: 'item', resource: 'order_preparation', exchanges })
    expect(await ruleIn(polling, removed)).toContain('no longer found by its reference, twice in a row')
  })

  test('a due date: the fetch that verified it, the read it stands on and the zone', async () => {
    await using polling = new Polling({ watch: { invoices: WATCH.invoices }, timeZone: 'Europe/Paris' })
    polling.platform.invoices = [INVOICE]
    await polling.pass()
    const lastRead = (await polling.store.records('acme', 'invoice', ['INV-1'])).get('INV-1')?.lastRead
    await polling.clock.advance(DAY)
    await polling.pass()
    const due = await rung(polling, 'invoice.due')
    expect(await provenanceOf(polling, due)).toEqual({
      by: 'calendar',
      resource: 'invoice',
      exchanges: [asked(polling, 'invoice/INV-1')],
      timeZone: 'Europe/Paris',
      lastRead,
    })
  })

  test('a due date that no fetch verified: the 404 and the pass that met the invoice since', async () => {
    await using polling = new Polling({ watch: { invoices: WATCH.invoices } })
    polling.platform.invoices = [INVOICE]
    await polling.pass()
    polling.platform.hides = (what) => what.startsWith('invoice/')
    await polling.clock.advance(DAY)
    await polling.pass()
    const due = await rung(polling, 'invoice.due')
    expect(await provenanceOf(polling, due)).toMatchObject({
      by: 'calendar',
      exchanges: [{ path: '/v1/invoice/INV-1', status: 404 }],
      pass: { number: 2 },
    })
  })

  test('a milestone that is overdue: the read that still did not show it', async () => {
    await using polling = await baselined(0)
    const delivery_date = { date: '2026-11-22T00:00:00Z', status: 'estimated' }
    polling.platform.shipments = [shipment('SHP-1', { main_tracking_dates: { delivery_date } })]
    await polling.pass()
    await polling.clock.advance(3 * DAY)
    await polling.pass()
    const overdue = await rung(polling, 'shipment.milestone_overdue')
    const { sentAt, answeredAt } = asked(polling, 'shipments?skip=0')
    expect(await provenanceOf(polling, overdue)).toEqual({
      by: 'calendar',
      resource: 'shipment',
      exchanges: [],
      timeZone: 'UTC',
      lastRead: { sentAt, answeredAt },
    })
  })

  test('an estimate that settled: the last read, for no request made it ring', async () => {
    await using polling = new Polling({ ...onlyShipments, settleMs: 90_000 })
    polling.platform.shipments = [shipment('SHP-1', arriving('2026-12-01T00:00:00Z'))]
    await polling.pass()
    polling.platform.shipments = [shipment('SHP-1', arriving('2026-12-02T00:00:00Z'))]
    await polling.run(100_000)
    const eta = await rung(polling, 'shipment.eta_changed')
    const rangAt = (eta?.timestamp ?? 0) + 90_000
    const lastRead = polling.platform.asked.findLast(({ at }) => at <= rangAt)?.at
    expect(await provenanceOf(polling, eta)).toEqual({
      by: 'settled',
      resource: 'shipment',
      exchanges: [],
      lastRead: { sentAt: lastRead, answeredAt: lastRead },
    })
  })

  test('an account in trouble: the three requests that failed, then the one that worked', async () => {
    await using polling = await baselined(1)
    const before = polling.platform.asked.length
    polling.platform.trouble = () => ({ kind: 'unreachable' })
    await polling.run(120_000)
    const failed = polling.platform.asked.slice(before, before + 3).map(({ at }) => at)
    polling.platform.trouble = () => null
    await polling.run(120_000)
    const down = await provenanceOf(polling, await rung(polling, 'account.unreachable'))
    expect(down).toMatchObject({ by: 'health', resource: null })
    expect(down?.exchanges.map(({ sentAt, status }) => [sentAt, status])).toEqual(failed.map((at) => [at, null]))
    const up = await provenanceOf(polling, await rung(polling, 'account.recovered'))
    expect(up).toMatchObject({ by: 'health', exchanges: [{ status: 200 }] })
  })

  test('a refused key: the request that was refused', async () => {
    await using polling = await baselined(1)
    polling.platform.trouble = () => ({ kind: 'unauthorized' })
    await polling.pass()
    const refused = await rung(polling, 'account.unauthorized')
    expect(await provenanceOf(polling, refused)).toMatchObject({ by: 'health', exchanges: [{ status: 401 }] })
  })

  test('a bad record and a new field: the page that showed them', async () => {
    await using polling = await baselined(20)
    polling.platform.shipments = shipments(20).map((each) => ({ ...each, carbon: 1 }))
    polling.platform.rejects = (id) => id === 'SHP-20'
    await polling.pass()
    const page = {
      by: 'page',
      resource: 'shipment',
      pass: { number: 2 },
      exchanges: [{ path: '/v1/shipments?skip=0' }],
    }
    expect(await provenanceOf(polling, await rung(polling, 'account.schema_drift'))).toMatchObject(page)
    expect(await provenanceOf(polling, await rung(polling, 'account.record_rejected'))).toMatchObject(page)
  })
})
