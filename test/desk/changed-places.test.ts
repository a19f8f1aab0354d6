import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { ask } from './ask.ts'
import { sampleDesk } from './sample-desk.ts'

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** A shipment with these containers, each with its seal. */
function sealed(...containers: readonly (readonly [string, string])[]): JsonObject {
  return {
    cargo: { containers: containers.map(([container_number, seal_number]) => ({ container_number, seal_number })) },
  }
}

/** An order of one line, at this price, of which a shipment carries some. */
function ordered(price: number, carried: number): JsonObject {
  const assigned = [{ x_shipment_id: 'SHP-1', assigned_quantity: carried }]
  return { purchase_order_lines: [{ reference: '10', unit_price: { amount: price }, assigned_order_lines: assigned }] }
}

test('elements of lists are called what people call them, wherever they stand in their list', async () => {
  const { context, store } = sampleDesk()
  const sample = sampleEvent('shipment.container_updated')
  const path = '/cargo/containers/0/seal_number'
  const of = { ...sample, account: 'globex', subject: { ...sample.subject, id: 'SHP-1003' }, expiredAt: null }
  const moves = [
    {
      before: sealed(['MSKU1', 'a'], ['MSKU2', 'c']),
      object: sealed(['MSKU1', 'b'], ['MSKU2', 'c']),
      from: 'a',
      to: 'b',
    },
    {
      before: sealed(['MSKU2', 'c'], ['MSKU1', 'b']),
      object: sealed(['MSKU2', 'd'], ['MSKU1', 'b']),
      from: 'c',
      to: 'd',
    },
  ]
  for (const [nth, { before, from, object, to }] of moves.entries()) {
    const changes = [{ path, from, to }]
    store.log.push({ ...of, id: `evt_seal${nth}`, before, object, changes, sequence: 95_000 + nth })
  }
  const { text } = await ask(context, '/records/shipment/globex/SHP-1003?seen=94999')
  const since = plain(/<section[^>]*id="since"[\s\S]*?<\/section>/.exec(text)?.[0] ?? '')
  expect(since).toContain('cargo › containers (MSKU1) › seal number before: a → now: b')
  expect(since).toContain('cargo › containers (MSKU2) › seal number before: c → now: d')
})

test('changes of an order are shown without places in JSON', async () => {
  const { context, store } = sampleDesk()
  const was = { ...ordered(1, 3), custom_parameters: [], loads: [{ count: 1 }], tags: [] }
  const is = {
    ...ordered(2, 4),
    custom_parameters: [{ name: 'season', value: 'winter' }],
    loads: [{ count: 2 }],
    tags: ['a'],
  }
  const lines = '/purchase_order_lines/0'
  const changes = [
    { path: `${lines}/unit_price/amount`, from: 1, to: 2 },
    { path: `${lines}/assigned_order_lines/0/assigned_quantity`, from: 3, to: 4 },
    { path: '/custom_parameters/0/value', from: null, to: 'winter' },
    { path: '/loads/0/count', from: 1, to: 2 },
    { path: '/tags/0', from: null, to: 'a' },
  ]
  const event = { ...sampleEvent('purchase_order.updated'), id: 'evt_order', before: was, object: is, changes }
  store.log.push({ ...event, sequence: 95_000, expiredAt: null })
  const { text } = await ask(context, '/events/evt_order')
  const places = [...text.matchAll(/<dt>([\s\S]*?)<\/dt>/g)].map(([, place = '']) => plain(place))
  expect(places).toEqual(
    expect.arrayContaining([
      'purchase order lines (10) › unit price › amount',
      'purchase order lines (10) › assigned order lines (SHP-1) › assigned quantity',
      'custom parameters (season) › value',
      'loads (#1) › count',
      'tags',
    ]),
  )
})
