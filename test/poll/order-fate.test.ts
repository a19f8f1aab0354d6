import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { field, type JsonObject } from '../../src/model/json.ts'
import { OrderTopic } from '../../src/poll/notes/order-topic.ts'
import { Polling, shipment, shipments, WATCH, WATCH_MORE } from './polling.ts'

const BOTH = { shipments: WATCH.shipments, purchase_orders: WATCH_MORE.purchase_orders } as const
const [EARLY, LATE, LATER] = ['2026-12-10T10:00:00Z', '2026-12-20T10:00:00Z', '2026-12-22T10:00:00Z'] as const

function due(id: string, date: string | null, more: JsonObject = {}): JsonObject {
  return shipment(id, { main_tracking_dates: { delivery_date: { date, status: 'estimated' } }, ...more })
}

function order(id: string, on: Readonly<Record<string, number>>): JsonObject {
  const assigned_order_lines = Object.entries(on).map(([platform_shipment_id, assigned_quantity]) => ({
    platform_shipment_id,
    assigned_quantity,
  }))
  const purchase_order_lines = [{ reference: 'L1', ordered_quantity: 10, assigned_order_lines }]
  return { po_number: id, desired_delivery_date: '2026-12-18', purchase_order_lines }
}

function told(events: readonly ShipbellEvent[]): readonly unknown[] {
  return events.map(({ subject, type }) => `${type} ${subject.id}`)
}

function derived(events: readonly ShipbellEvent[]): readonly ShipbellEvent[] {
  return events.filter(({ cause }) => cause === 'derived')
}

/** An order on two shipments, all of it learnt at the baseline, of five shipments in all. */
async function baselined(settings = {}): Promise<Polling> {
  const polling = new Polling({ watch: BOTH, ...settings })
  polling.platform.shipments = [due('A', EARLY), due('B', EARLY), ...shipments(3)]
  polling.platform.purchaseOrders = [order('PO-1', { A: 5, B: 5 })]
  await polling.pass()
  return polling
}

function move(polling: Polling, ...moved: readonly JsonObject[]): void {
  const ids = new Set(moved.map((each) => each['platform_shipment_id']))
  const others = polling.platform.shipments.filter((each) => !ids.has(each['platform_shipment_id']))
  polling.platform.shipments = [...moved, ...others]
}

describe('the fate of an order', () => {
  test('is learnt in silence at the baselines, and told as its shipments move, once', async () => {
    await using polling = await baselined()
    expect(derived(await polling.events())).toEqual([])
    move(polling, due('A', LATE), due('B', EARLY, { name: 'Another' }))
    const rung = await polling.pass()
    const [eta, risk] = derived(rung)
    expect(told(derived(rung))).toEqual(['purchase_order.eta_changed PO-1', 'purchase_order.delivery_at_risk PO-1'])
    const moved = rung.find(({ type }) => type === 'shipment.delivery_date_changed')
    expect(eta).toMatchObject({
      observed: null,
      changes: null,
      subject: { version: 1 },
      extras: { because: moved?.id },
    })
    expect(risk?.subject.previousEventId).toBe(eta?.id)
    expect(eta?.object).toMatchObject({ po_number: 'PO-1' })
    expect(derived(await polling.pass())).toEqual([])
    move(polling, due('B', '2026-12-11T10:00:00Z'))
    expect(derived(await polling.pass())).toEqual([])
  })

  test('names what moved it: a correction, and no event that only repeats its shipments', async () => {
    await using polling = await baselined()
    const topic = new OrderTopic(polling.context)
    const explaining = (events: readonly ShipbellEvent[]) => events.filter((each) => topic.explains(each))
    move(polling, shipment('A', { main_tracking_dates: { delivery_date: { date: EARLY, status: 'actual' } } }))
    await polling.pass()
    move(polling, due('A', LATE))
    const corrected = await polling.pass()
    const correction = corrected.find(({ type }) => type === 'shipment.milestone_corrected')
    expect(derived(corrected).map(({ extras }) => extras['because'])).toEqual([correction?.id, correction?.id])
    const on = { assigned_quantity: 5, shipment_status: 'booked' }
    const assigned_order_lines = ['A', 'B'].map((platform_shipment_id) => ({ platform_shipment_id, ...on }))
    const purchase_order_lines = [{ reference: 'L1', ordered_quantity: 10, assigned_order_lines }]
    polling.platform.purchaseOrders = [{ ...order('PO-1', {}), purchase_order_lines, supplier_name: 'X' }]
    const repeated = await polling.pass()
    expect(repeated).toHaveLength(3)
    expect(explaining(repeated)).toEqual([])
    expect((await polling.store.noted('acme', 'orders', 9)).notes).toEqual([])
    polling.platform.purchaseOrders = [{ ...order('PO-1', { A: 4, B: 6 }), desired_delivery_date: '2026-12-19' }]
    const moved = await polling.pass()
    expect(explaining(moved).map(({ type }) => type)).toEqual(['purchase_order.updated'])
  })

  test('names the shipment that moved it, also where more moved than are taken up at once', async () => {
    await using polling = new Polling({ watch: BOTH })
    const ids = Array.from({ length: 120 }, (_, place) => `S${100 + place}`)
    polling.platform.shipments = ids.map((id) => due(id, EARLY))
    polling.platform.purchaseOrders = [order('PO-1', { S100: 5, S219: 5 })]
    await polling.pass()
    polling.platform.shipments = ids.map((id) => due(id, id === 'S219' ? LATER : LATE))
    const rung = await polling.pass()
    const moved = rung.find(({ subject }) => subject.id === 'S219')
    expect(derived(rung).map(({ extras }) => extras['because'])).toEqual([moved?.id, moved?.id])
  })

  test('of an order that comes later rings beside its creation', async () => {
    await using polling = await baselined()
    polling.platform.purchaseOrders.push(order('PO-2', { A: 10 }), order('PO-3', { C: 4 }))
    const rung = await polling.pass()
    const created = rung.find(({ subject, type }) => type === 'purchase_order.created' && subject.id === 'PO-2')
    expect(told(derived(rung))).toEqual(['purchase_order.eta_changed PO-2', 'purchase_order.fully_assigned PO-2'])
    expect(derived(rung).map(({ extras }) => extras['because'])).toEqual([created?.id, created?.id])
    move(polling, due('C', LATE))
    const later = derived(await polling.pass())
    expect(told(later)).toEqual(['purchase_order.eta_changed PO-3', 'purchase_order.delivery_at_risk PO-3'])
    expect(later[0]?.extras).toMatchObject({ from: null, to: { shipment_id: 'C' }, unknown: [] })
  })

  test('follows reassignments, also to shipments that are read later', async () => {
    await using polling = await baselined()
    polling.platform.purchaseOrders = [order('PO-1', { B: 5, D: 5 })]
    expect(derived(await polling.pass())).toEqual([])
    move(polling, due('A', LATER))
    expect(derived(await polling.pass())).toEqual([])
    move(polling, due('D', LATE))
    const rung = derived(await polling.pass())
    expect(rung[0]?.extras).toMatchObject({ to: { date: LATE, shipment_id: 'D' }, shipments: ['B', 'D'] })
  })

  test('leaves out shipments that are cancelled or removed, and counts those that return', async () => {
    await using polling = await baselined()
    move(polling, due('A', LATE))
    await polling.pass()
    const without = polling.platform.shipments.filter((each) => each['platform_shipment_id'] !== 'A')
    polling.platform.shipments = without
    await polling.pass()
    const gone = await polling.pass()
    expect(told(derived(gone))).toEqual([
      'purchase_order.eta_changed PO-1',
      'purchase_order.delivery_back_on_track PO-1',
    ])
    expect(field(derived(gone)[0]?.extras, 'because')).toBe(gone.find(({ type }) => type === 'shipment.removed')?.id)
    move(polling, due('A', LATE))
    expect(told(derived(await polling.pass()))).toEqual([
      'purchase_order.eta_changed PO-1',
      'purchase_order.fully_assigned PO-1',
      'purchase_order.delivery_at_risk PO-1',
    ])
    move(polling, due('A', LATE, { status: 'cancelled' }))
    expect(told(derived(await polling.pass()))).toEqual([
      'purchase_order.eta_changed PO-1',
      'purchase_order.delivery_back_on_track PO-1',
    ])
  })

  test('begins anew with an order that was gone', async () => {
    await using polling = await baselined()
    const orders = polling.platform.purchaseOrders
    polling.platform.purchaseOrders = [order('PO-9', {})]
    for (let pass = 0; pass < 2; pass += 1) await polling.pass()
    move(polling, due('A', LATE))
    expect(derived(await polling.pass())).toEqual([])
    polling.platform.purchaseOrders = orders
    expect(told(await polling.pass())).toEqual(['purchase_order.restored PO-1'])
    move(polling, due('A', EARLY))
    expect(told(derived(await polling.pass()))).toHaveLength(2)
  })

  test('survives a process that dies before it is derived', async () => {
    await using polling = await baselined()
    await polling.run(100)
    move(polling, due('A', LATE))
    await polling.run(1_500)
    const before = await polling.events()
    expect(before.some(({ type }) => type === 'shipment.delivery_date_changed')).toBe(true)
    expect(derived(before)).toEqual([])
    await polling.restart()
    await polling.run(10_000)
    expect(told(derived(await polling.events()))).toHaveLength(2)
  })

  test('is told within seconds by a daemon that reads on', async () => {
    await using polling = await baselined()
    const running = new AbortController()
    const run = polling.poller.run(running.signal)
    await polling.clock.advance(61_000)
    move(polling, due('A', LATE))
    await polling.clock.advance(70_000)
    const events = await polling.events()
    const moved = events.find(({ type }) => type === 'shipment.delivery_date_changed')
    const [eta] = derived(events)
    expect((eta?.timestamp ?? 0) - (moved?.timestamp ?? 0)).toBeLessThanOrEqual(10_000)
    running.abort()
    await run
  })

  test('begins in silence where both lists are watched later, and goes on where one was away', async () => {
    await using polling = await baselined({ watch: { purchase_orders: BOTH.purchase_orders } })
    move(polling, due('A', LATE))
    await polling.restart({ watch: BOTH })
    expect(derived(await polling.pass())).toEqual([])
    await polling.restart({ watch: { shipments: BOTH.shipments } })
    move(polling, due('A', EARLY))
    await polling.pass()
    expect((await polling.store.noted('acme', 'orders', 9)).settings).toBe(null)
    await polling.restart({ watch: BOTH })
    expect(told(derived(await polling.pass()))).toEqual([
      'purchase_order.eta_changed PO-1',
      'purchase_order.delivery_back_on_track PO-1',
    ])
  })

  test('opens an exception where it stands at risk, silently at the first look, and closes it', async () => {
    await using polling = new Polling({ watch: BOTH })
    polling.platform.shipments = [due('A', LATE), ...shipments(3)]
    polling.platform.purchaseOrders = [order('PO-1', { A: 5 })]
    const open = async () => {
      const { items } = await polling.store.exceptionPage({ now: polling.clock.now(), limit: 9 })
      return items.map(({ closedBy, eventId, subjectId, type }) => [type, subjectId, eventId, closedBy])
    }
    await polling.pass()
    expect(await open()).toEqual([['purchase_order.delivery_at_risk', 'PO-1', null, null]])
    move(polling, due('A', EARLY))
    const back = derived(await polling.pass()).find(({ type }) => type.endsWith('back_on_track'))
    expect(await open()).toEqual([['purchase_order.delivery_at_risk', 'PO-1', null, back?.id]])
    move(polling, due('A', LATER))
    const risk = derived(await polling.pass()).find(({ type }) => type.endsWith('at_risk'))
    expect((await open())[0]).toEqual(['purchase_order.delivery_at_risk', 'PO-1', risk?.id, null])
  })

  test('waits as long as `settle` says', async () => {
    await using polling = await baselined({ settleMs: 3_600_000 })
    move(polling, due('A', LATE))
    expect(derived(await polling.pass())).toEqual([])
    await polling.clock.advance(3_600_000)
    expect(told(derived(await polling.pass()))).toHaveLength(2)
  })

  test('is silent at a baseline that rings', async () => {
    await using polling = await baselined({ firstPoll: 'emit' })
    expect(derived(await polling.events())).toEqual([])
    move(polling, due('A', LATE))
    expect(told(derived(await polling.pass()))).toHaveLength(2)
  })
})
