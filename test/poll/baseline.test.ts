import { describe, expect, test } from 'vitest'
import { Polling, shipment, shipments, trackingOf, WATCH } from './polling.ts'
import { onlyShipments } from './known-shipments.ts'

describe('a baseline (guarantee D1)', () => {
  test('learns everything in silence and says once per resource that it is done', async () => {
    await using polling = new Polling()
    polling.platform.shipments = shipments(3)
    polling.platform.invoices = [{ reference: 'INV-1', platform_shipment_id: 'SHP-1', type: 'invoice', status: 'new' }]
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
    const rung = await polling.pass()
    expect(rung.map(({ type, extras }) => [type, extras.resource, extras.count])).toEqual(
      expect.arrayContaining([
        ['account.baseline_completed', 'shipments', 3],
        ['account.baseline_completed', 'invoices', 1],
        ['account.baseline_completed', 'tracking', 3],
      ]),
    )
    expect(rung).toHaveLength(3)
    expect(await polling.pass()).toEqual([])
  })

  test('emits what it finds with first_poll: emit', async () => {
    await using polling = new Polling({ firstPoll: 'emit' })
    polling.platform.shipments = shipments(2)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in', 'Loaded'))
    await polling.pass()
    const types = (await polling.types()).filter((type) => !type.startsWith('account.'))
    expect(types.toSorted()).toEqual([
      'shipment.created',
      'shipment.created',
      'tracking.event_added',
      'tracking.event_added',
    ])
  })

  test('a crash inside it stays silent, and what changed meanwhile too', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    polling.platform.trouble = (what) => (what.endsWith('skip=200') ? { kind: 'unauthorized' } : null)
    await polling.pass()
    polling.platform.trouble = () => null
    polling.platform.shipments[5] = shipment('SHP-6', { status: 'in_progress' })
    await polling.restart()
    await polling.clock.advance(60_000)
    const rung = await polling.pass()
    expect(rung.map(({ type }) => type).toSorted()).toEqual(['account.baseline_completed', 'account.recovered'])
    polling.platform.shipments[5] = shipment('SHP-6', { status: 'finished' })
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['shipment.status_changed'])
  })

  test('a resource watched later gets a baseline of its own', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(2)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
    await polling.pass()
    polling.platform.shipments.push(shipment('SHP-3'))
    polling.platform.tracking.set('SHP-3', trackingOf('SHP-3', 'Gate in'))
    await polling.pass()
    await polling.restart({ watch: { shipments: WATCH.shipments, tracking: WATCH.tracking } })
    const rung = await polling.pass()
    expect(rung.map(({ type }) => type)).toEqual(['account.baseline_completed'])
  })

  test('a shipment that first appears later rings its first tracking read, one event per tracking event', async () => {
    await using polling = new Polling()
    polling.platform.shipments = shipments(1)
    await polling.pass()
    polling.platform.shipments.push(shipment('SHP-2'))
    polling.platform.tracking.set('SHP-2', trackingOf('SHP-2', 'Gate in', 'Loaded'))
    const rung = await polling.pass()
    expect(rung.map(({ type }) => type)).toEqual(['shipment.created', 'tracking.event_added', 'tracking.event_added'])
    expect(rung[1]?.shipment?.id).toBe('SHP-2')
  })

  test('a 404 is a read that showed nothing: what comes after it rings', async () => {
    await using polling = new Polling()
    polling.platform.shipments = shipments(1)
    await polling.pass()
    await polling.clock.advance(60_000)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
    const rung = await polling.pass()
    expect(rung.map(({ type }) => type)).toEqual(['tracking.status_changed', 'tracking.event_added'])
  })

  test('shows its progress', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(150)
    await polling.pass()
    expect(polling.progress).toEqual([
      { account: 'acme', watch: 'shipments', done: 100, total: null },
      { account: 'acme', watch: 'shipments', done: 150, total: null },
      { account: 'acme', watch: 'shipments', done: 150, total: 150 },
    ])
  })

  test('of what is read item by item ends where there is nothing to read', async () => {
    await using polling = new Polling()
    await polling.pass()
    const resources = (await polling.events()).map(({ extras }) => extras.resource)
    expect(new Set(resources)).toEqual(new Set(['invoices', 'shipments', 'tracking']))
  })
})
