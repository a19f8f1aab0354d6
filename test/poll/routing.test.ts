import { expect, test } from 'vitest'
import { Committer } from '../../src/poll/committer.ts'
import { ringEndpoint } from '../../src/poll/ingest/update-record.ts'
import { endpointEvent } from '../../src/route/endpoint-event.ts'
import type { Delivery } from '../../src/model/delivery.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { filter, HOUR } from '../route/samples.ts'
import { subscription } from '../support/subscription.ts'
import { Polling, shipment } from './polling.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'

const ETA = Date.UTC(2026, 11, 12)

function arriving(hours: number, fields: JsonObject = {}): JsonObject {
  const arrival_date = { date: new Date(ETA + hours * HOUR).toISOString(), status: 'estimated' }
  return shipment('SHP-1', { main_tracking_dates: { arrival_date }, ...fields })
}

async function rowsOf(polling: Polling, name: string): Promise<readonly Delivery[]> {
  return (await deliveriesOf(polling.store, { subscription: name, limit: 100 })).toReversed()
}

async function typesTo(polling: Polling, name: string): Promise<readonly string[]> {
  return (await rowsOf(polling, name)).map(({ type }) => type)
}

test(
  'creeping drift rings once it has crept far enough, also when every process dies after one pass',
  { tags: 'long' },
  async () => {
    await using polling = new Polling()
    polling.subscriptions = [subscription('erp', { minShiftMs: 12 * HOUR }), subscription('all', {})]
    for (const hours of [0, 5, 10, 13, 20, 26]) {
      polling.platform.shipments = [arriving(hours)]
      await polling.pass()
      await polling.restart()
    }
    expect(await typesTo(polling, 'all')).toHaveLength(5)
    const emitted = await Promise.all((await rowsOf(polling, 'erp')).map(({ eventId }) => polling.store.event(eventId)))
    expect(emitted.map((event) => event?.extras['date_change'])).toMatchObject([
      { to: { date: '2026-12-12T13:00:00.000Z' } },
      { to: { date: '2026-12-13T02:00:00.000Z' } },
    ])
  },
)

test('a `min_shift` that is configured later starts with the next change', async () => {
  await using polling = new Polling()
  polling.subscriptions = [subscription('erp', {})]
  for (const hours of [0, 30]) {
    polling.platform.shipments = [arriving(hours)]
    await polling.pass()
  }
  polling.subscriptions = [subscription('erp', { minShiftMs: 12 * HOUR })]
  for (const hours of [35, 43]) {
    polling.platform.shipments = [arriving(hours)]
    await polling.pass()
  }
  expect(await typesTo(polling, 'erp')).toEqual(['shipment.eta_changed', 'shipment.eta_changed'])
})

test('a `where` that cannot be judged delivers, and is told once to whoever hears of endpoints, never to itself', async () => {
  await using polling = new Polling()
  const expression = 'data.object.note > 3'
  polling.subscriptions = [
    subscription('erp', { events: ['*', 'endpoint.*'], filter: filter(expression) }),
    subscription('ops', { events: ['invoice.due'], alert: true }),
  ]
  for (const name of ['one', 'two', 'three']) {
    polling.platform.shipments = [shipment('SHP-1', { name, note: 'text' })]
    await polling.pass()
    await polling.restart()
  }
  expect(await typesTo(polling, 'erp')).toEqual(['shipment.updated', 'shipment.updated'])
  expect(await typesTo(polling, 'ops')).toEqual(['endpoint.filter_failed'])
  const [failed] = await eventsOf(polling.store, { types: ['endpoint.filter_failed'], limit: 9 })
  expect(failed).toMatchObject({
    account: null,
    sequence: 1,
    subject: { resource: 'subscription', id: 'erp', version: 1, previousEventId: null },
    extras: { where: expression, reason: 'no such overload: dyn<string> > int', event_type: 'shipment.updated' },
  })

  polling.subscriptions = [
    subscription('erp', { filter: filter(`${expression} && true`) }),
    ...polling.subscriptions.slice(1),
  ]
  polling.platform.shipments = [shipment('SHP-1', { name: 'four', note: 'text' })]
  await polling.pass()
  const events = await eventsOf(polling.store, { types: ['endpoint.filter_failed'], limit: 9 })
  expect(events.map(({ subject }) => subject.version)).toEqual([2, 1])
  expect(await typesTo(polling, 'ops')).toHaveLength(2)
})

test('filters that fail on what tells of a failed filter end the telling: each rings once', async () => {
  await using polling = new Polling()
  const failing = filter('size(id) / 0 == 1')
  polling.subscriptions = ['a', 'b'].map((name) => subscription(name, { events: ['*', 'endpoint.*'], filter: failing }))
  for (const name of ['one', 'two', 'three']) {
    polling.platform.shipments = [shipment('SHP-1', { name })]
    await polling.pass()
  }
  const events = await eventsOf(polling.store, { types: ['endpoint.filter_failed'], limit: 9 })
  expect(events.map(({ subject }) => subject.id).sort()).toEqual(['a', 'b'])
  expect(await typesTo(polling, 'a')).toEqual(['shipment.updated', 'endpoint.filter_failed', 'shipment.updated'])
})

test('an alert whose telling fails a filter of the one it is about keeps to one chain of events', async () => {
  await using polling = new Polling()
  const failing = filter('size(id) / 0 == 1')
  polling.subscriptions = ['a', 'b'].map((name) => subscription(name, { events: ['endpoint.*'], filter: failing }))
  const { store } = polling
  const committer = new Committer({
    store,
    clock: polling.clock,
    subscriptions: () => polling.subscriptions,
    onDeliveries: () => undefined,
  })
  const ring = { subscription: 'a', type: 'endpoint.failing', extras: {}, at: ETA } as const
  const rung = await ringEndpoint(committer, 'a', (state) => endpointEvent({ ...ring, state }))
  expect(rung).toMatchObject({ type: 'endpoint.failing', subject: { id: 'a', version: 1 } })
  expect((await eventsOf(store, { limit: 9 })).map(({ type, subject }) => [type, subject.id, subject.version])).toEqual(
    [
      ['endpoint.filter_failed', 'a', 2],
      ['endpoint.filter_failed', 'b', 1],
      ['endpoint.failing', 'a', 1],
    ],
  )
  expect(await typesTo(polling, 'a')).toEqual(['endpoint.filter_failed'])
  expect(await ringEndpoint(committer, 'a', () => null)).toBeNull()
})

test('an unheard event is not in the ledger, and a record that no filter understands stops no pass', async () => {
  await using polling = new Polling()
  const hostile: unknown = JSON.parse('{"__proto__":{"x":1},"constructor":{"name":"Map"},"deep":[[[[1]]]]}')
  polling.subscriptions = [subscription('erp', { filter: filter('data.object.extra.constructor.name == "Map"') })]
  polling.platform.shipments = [shipment('SHP-1', { name: 'one' }), shipment('SHP-2')]
  await polling.pass()
  polling.platform.shipments = [
    shipment('SHP-1', { name: 'two', extra: Object(hostile) }),
    shipment('SHP-2', { name: 'x' }),
  ]
  await polling.pass()
  expect(await polling.types()).toEqual(expect.arrayContaining(['shipment.updated']))
  expect(await typesTo(polling, 'erp')).toEqual(['shipment.updated'])
})
