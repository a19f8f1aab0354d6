import { noteCreated } from '../../src/operate/note-created.ts'
import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { Polling, shipment, trackingOf, WATCH, WATCH_MORE } from './polling.ts'

const { documents, purchase_orders, locations, order_preparations } = WATCH_MORE

const DOCUMENT = { id: 'DOC-1', name: 'list.pdf', type: null, platform_shipment_id: 'SHP-1', link: 'signed-1' }
const ORDER_PREPARATION = { name: 'Spring', picking_references: ['A-1'] }

function emitted(events: readonly ShipbellEvent[]): readonly unknown[] {
  return events.map(({ type, subject }) => [type, subject.resource, subject.id])
}

function baselines(events: readonly ShipbellEvent[]): readonly unknown[] {
  return events
    .filter(({ type }) => type === 'account.baseline_completed')
    .map(({ extras }) => [extras.resource, extras.count])
}

function order(...assigned: JsonObject[]): JsonObject {
  return { po_number: 'PO-1', purchase_order_lines: [{ reference: 'L1', assigned_order_lines: assigned }] }
}

function watching(...references: string[]): Pick<AccountSettings, 'watch'> {
  return { watch: { order_preparations: { ...order_preparations, references } } }
}

describe('documents', () => {
  test('ring after their baseline, with the shipment they belong to, and not for a link signed anew', async () => {
    await using polling = new Polling({ watch: { shipments: WATCH.shipments, documents } })
    polling.platform.shipments = [shipment('SHP-1')]
    polling.platform.documents = [DOCUMENT]
    expect(baselines(await polling.pass())).toContainEqual(['documents', 1])
    polling.platform.documents = [
      { ...DOCUMENT, link: 'signed-2' },
      { ...DOCUMENT, id: 'DOC-2' },
    ]
    const added = await polling.pass()
    expect(emitted(added)).toEqual([['document.added', 'document', 'DOC-2']])
    expect(added[0]?.shipment).toMatchObject({ id: 'SHP-1', name: 'Shipment SHP-1' })
    polling.platform.documents = [
      { ...DOCUMENT, link: 'signed-3', type: 'cmr' },
      { ...DOCUMENT, id: 'DOC-2' },
    ]
    expect(emitted(await polling.pass())).toEqual([['document.classified', 'document', 'DOC-1']])
    expect(await polling.pass()).toEqual([])
  })
})

describe('purchase orders', () => {
  test('ring after their baseline', async () => {
    await using polling = new Polling({ watch: { purchase_orders } })
    polling.platform.purchaseOrders = [order()]
    expect(baselines(await polling.pass())).toEqual([['purchase_orders', 1]])
    polling.platform.purchaseOrders = [order({ platform_shipment_id: 'SHP-1' }), { po_number: 'PO-2' }]
    const rung = await polling.pass()
    expect(emitted(rung)).toEqual([
      ['purchase_order.assigned', 'purchase_order', 'PO-1'],
      ['purchase_order.created', 'purchase_order', 'PO-2'],
    ])
    expect(rung[0]?.extras).toMatchObject({ line: { reference: 'L1' }, shipment_id: 'SHP-1' })
    expect(await polling.pass()).toEqual([])
  })
})

describe('locations', () => {
  test('ring after their baseline, each under its id as text', async () => {
    await using polling = new Polling({ watch: { locations } })
    polling.platform.locations = [{ id: 7, name: 'Dock', zip_code: 76600 }]
    expect(baselines(await polling.pass())).toEqual([['locations', 1]])
    polling.platform.locations = [
      { id: 7, name: 'Quay', zip_code: '76600' },
      { id: 8, name: 'Depot' },
    ]
    expect(emitted(await polling.pass())).toEqual([
      ['location.updated', 'location', '7'],
      ['location.created', 'location', '8'],
    ])
  })
})

describe('order preparations', () => {
  test('are learnt in silence, and ring what changes', async () => {
    await using polling = new Polling(watching('OP-1', 'OP-2'))
    polling.platform.orderPreparations.set('OP-1', ORDER_PREPARATION)
    polling.platform.orderPreparations.set('OP-2', ORDER_PREPARATION)
    const rung = await polling.pass()
    expect([rung.length, baselines(rung)]).toEqual([1, [['order_preparations', 2]]])
    await polling.clock.advance(60_000)
    polling.platform.orderPreparations.set('OP-2', { ...ORDER_PREPARATION, name: 'Autumn' })
    expect(emitted(await polling.pass())).toEqual([['order_preparation.updated', 'order_preparation', 'OP-2']])
  })

  test('that do not exist yet are created when they do', async () => {
    await using polling = new Polling(watching('OP-1'))
    expect(baselines(await polling.pass())).toEqual([['order_preparations', 1]])
    await polling.clock.advance(60_000)
    expect(await polling.pass()).toEqual([])
    await polling.clock.advance(60_000)
    polling.platform.orderPreparations.set('OP-1', ORDER_PREPARATION)
    expect(emitted(await polling.pass())).toEqual([['order_preparation.created', 'order_preparation', 'OP-1']])
  })

  test('whose reference is configured later are created with their first successful read', async () => {
    await using polling = new Polling(watching('OP-1'))
    polling.platform.orderPreparations.set('OP-1', ORDER_PREPARATION)
    polling.platform.orderPreparations.set('OP-2', ORDER_PREPARATION)
    await polling.pass()
    await polling.restart(watching('OP-1', 'OP-2'))
    await polling.clock.advance(60_000)
    expect(emitted(await polling.pass())).toEqual([['order_preparation.created', 'order_preparation', 'OP-2']])
  })

  test('that Shipbell created ring with their first read, in a baseline too', async () => {
    await using polling = new Polling(watching('OP-1'))
    for (const id of ['OP-1', 'OP-2']) polling.platform.orderPreparations.set(id, ORDER_PREPARATION)
    await noteCreated(polling, { account: 'acme', reference: 'OP-2' })
    expect(emitted(await polling.pass())).toEqual([
      ['order_preparation.created', 'order_preparation', 'OP-2'],
      ['account.baseline_completed', 'account', 'acme'],
    ])
    await polling.restart(watching())
    polling.platform.orderPreparations.set('OP-2', { ...ORDER_PREPARATION, name: 'Autumn' })
    await polling.clock.advance(60_000)
    expect(emitted(await polling.pass())).toEqual([['order_preparation.updated', 'order_preparation', 'OP-2']])
  })

  test('that another account created are none of this one', async () => {
    await using polling = new Polling(watching())
    polling.platform.orderPreparations.set('OP-2', ORDER_PREPARATION)
    await noteCreated(polling, { account: 'globex', reference: 'OP-2' })
    expect(baselines(await polling.pass())).toEqual([['order_preparations', 0]])
    expect(polling.platform.asked).toEqual([])
  })

  test('are read by the daemon within two seconds after Shipbell created them', async () => {
    await using polling = new Polling(watching())
    polling.platform.orderPreparations.set('OP-2', ORDER_PREPARATION)
    const stop = new AbortController()
    const running = polling.poller.run(stop.signal)
    await polling.clock.advance(600_500)
    await noteCreated(polling, { account: 'acme', reference: 'OP-2' })
    await polling.clock.advance(2_000)
    stop.abort()
    await running
    expect(await polling.types()).toEqual(['account.baseline_completed', 'order_preparation.created'])
  })

  test('of which one cannot be read keep the baseline open, and hold up no other', async () => {
    await using polling = new Polling(watching('OP-1', 'OP-2'))
    for (const id of ['OP-1', 'OP-2']) polling.platform.orderPreparations.set(id, ORDER_PREPARATION)
    polling.platform.trouble = (what) => (what.endsWith('OP-1') ? { kind: 'broken' } : null)
    expect(baselines(await polling.pass())).toEqual([])
    polling.platform.trouble = () => null
    await polling.clock.advance(3_600_000)
    polling.platform.orderPreparations.set('OP-2', { name: 'Autumn' })
    const rung = (await polling.pass()).filter(({ type }) => type !== 'account.recovered')
    expect(emitted(rung)).toEqual([
      expect.arrayContaining(['order_preparation.updated']),
      expect.arrayContaining(['account.baseline_completed']),
    ])
  })

  test('are read each in turn by the daemon, as often as is configured', async () => {
    await using polling = new Polling(watching('OP-1', 'OP-2'))
    const stop = new AbortController()
    const running = polling.poller.run(stop.signal)
    await polling.clock.advance(600_000)
    stop.abort()
    await running
    const asked = polling.platform.asked.filter(({ what }) => what === 'order_preparation/OP-2')
    expect(asked.length).toBeGreaterThanOrEqual(10)
    expect(asked.length).toBeLessThanOrEqual(11)
  })
})

describe('positions at sea', () => {
  test.each([
    [false, []],
    [true, ['tracking.position_changed']],
  ])('with positions: %s', async (positions, types) => {
    await using polling = new Polling({
      watch: { shipments: WATCH.shipments, tracking: { ...WATCH.tracking, positions } },
    })
    polling.platform.shipments = [shipment('SHP-1')]
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
    await polling.pass()
    await polling.clock.advance(60_000)
    const ocean_coordinates = [{ latitude: '1.0', longitude: '2.0' }]
    polling.platform.tracking.set('SHP-1', { ...trackingOf('SHP-1', 'Gate in'), ocean_coordinates })
    const rung = await polling.pass()
    expect(rung.map(({ type }) => type)).toEqual(types)
    expect(rung.map(({ extras }) => extras.position)).toEqual(positions ? ocean_coordinates : [])
  })
})
