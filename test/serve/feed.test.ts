import { expect, test } from 'vitest'
import { Desk, TOKEN, VIEWER } from './desk.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'

const FEED = '/api/v1/subscriptions/portal/feed'

async function opened() {
  const desk = await Desk.open()
  const events = [1, 2, 3].map((version) =>
    sampleEvent(`evt_${version}`, {
      subject: { resource: 'shipment', id: 'SHP-1', version, previousEventId: null },
      timestamp: T + version,
    }),
  )
  await ring(desk.store, events, ['portal'])
  const feed = async (query = '') => (await desk.ask(`${FEED}${query}`, { token: VIEWER })).json
  const ack = async (body: string, token = TOKEN, path = `${FEED}/ack`) =>
    await desk.ask(path, { method: 'POST', token, body })
  return { desk, feed, ack }
}

test('a feed has the payloads as the subscription gets them, page by page', async () => {
  const { feed } = await opened()
  const page = await feed('?limit=2')
  expect(page).toMatchObject({ first: 1, next: 2, head: 3 })
  expect(page).toHaveProperty('items.0', {
    position: 1,
    event_id: 'evt_1',
    state: 'pending',
    payload: expect.objectContaining({
      specversion: '1.0',
      id: 'evt_1',
      subscription: 'portal',
      position: '0000000000000001',
      data: { from: 'draft', to: 'booked', regression: false, links: { self: '/api/v1/records/shipment/acme/SHP-1' } },
    }),
  })
  expect(await feed('?after=2')).toMatchObject({ next: null, items: [{ position: 3 }] })
  expect(await feed('?after=99')).toMatchObject({ first: 1, next: null, head: 3, items: [] })
  expect(await feed(`?after=${'9'.repeat(20)}`)).toMatchObject({ next: null, head: 3, items: [] })
  for (const query of ['?after=-1', '?after=1.5', '?after=x', '?limit=0', '?limit=201'])
    expect(await feed(query)).toMatchObject({ status: 422 })
})

test('what is taken is acknowledged, and nothing of it was sent', async () => {
  const { ack, desk, feed } = await opened()
  await desk.clock.advance(60_000)
  expect(desk.receiver.taken).toEqual([])
  expect((await desk.ask('/api/v1/status', { token: TOKEN })).json).toMatchObject({ totals: { undelivered: 0 } })
  expect((await ack('{"position":2}')).json).toEqual({ acknowledged: 2 })
  expect((await ack('{"position":1}')).json).toEqual({ acknowledged: 0 })
  expect(await feed()).toMatchObject({ items: [{ state: 'delivered' }, { state: 'delivered' }, { state: 'pending' }] })
  expect(desk.logged('admin.acted')[0]).toMatchObject({ action: 'take', subscription: 'portal', position: 2 })
})

test('a discarded event has no payload in its feed', async () => {
  const { desk, feed } = await opened()
  await desk.store.disable('portal', { reason: 'away', at: T })
  await desk.store.discard('portal', T)
  expect(await feed('?limit=1')).toMatchObject({ items: [{ state: 'discarded', payload: null }] })
})

test('an acknowledgement of nothing that is there is refused', async () => {
  const { ack } = await opened()
  for (const body of ['{"position":4}', '{"position":0}', '{"position":1.5}', '{"position":"1"}', '{}', '[]'])
    expect([body, (await ack(body)).status]).toEqual([body, 422])
  expect((await ack('{"position":4}')).json).toMatchObject({ errors: [{ in: 'body', name: 'position' }] })
  expect((await ack('{')).status).toBe(400)
  expect((await ack('{"position":1}', VIEWER)).status).toBe(403)
  expect((await ack('{"position":1}', TOKEN, '/api/v1/subscriptions/erp/feed/ack')).status).toBe(409)
  expect((await ack('{"position":1}', TOKEN, '/api/v1/subscriptions/none/feed/ack')).status).toBe(404)
})

test('nobody tests what nothing is sent to', async () => {
  const { desk } = await opened()
  const answer = await desk.ask('/api/v1/subscriptions/portal/test', { method: 'POST', token: TOKEN })
  expect(answer.json).toMatchObject({ status: 409, detail: expect.stringContaining('read from its feed') })
})
