import { expect, test } from 'vitest'
import { field } from '../../src/model/json.ts'
import { Desk, SECRETS, TOKEN, VIEWER } from './desk.ts'
import { Reader, rung, until } from './stream-reader.ts'

test('shows events as they ring, without the record, and rows as they change', async () => {
  const desk = await Desk.open()
  const reader = await Reader.open(desk)
  expect(reader.headers['content-type']).toContain('text/event-stream')
  expect([reader.headers['x-accel-buffering'], reader.headers['cache-control']]).toEqual(['no', 'no-store'])
  await rung(desk, 1)
  await until(desk, () => reader.messages.length >= 2)
  expect(reader.ids).toEqual(['evt_1'])
  expect(reader.messages[0]).toMatchObject({ event: 'event', id: '1', data: { data: { from: 'draft' } } })
  expect(field(field(reader.messages[0]?.data, 'data'), 'object')).toBeUndefined()
  const delivery = { event_id: 'evt_1', subscription: 'erp', state: 'delivered', last_status: 200 }
  expect(reader.messages.at(-1)).toMatchObject({ event: 'delivery', id: undefined, data: delivery })
  for (const secret of SECRETS) expect(reader.text).not.toContain(secret)
})

test('goes on after a cut with exactly what was missed', async () => {
  const desk = await Desk.open()
  const first = await Reader.open(desk)
  const beside = await Reader.open(desk)
  await rung(desk, 1, 2, 3)
  await until(desk, () => first.ids.length === 3)
  first.cut()
  const missed = Array.from({ length: 250 }, (_, nth) => nth + 4)
  await rung(desk, ...missed)
  const second = await Reader.open(desk, '', { 'last-event-id': first.lastId })
  await rung(desk, 300)
  await until(desk, () => second.ids.length >= 251 && beside.ids.length >= 254)
  await desk.clock.advance(3_000)
  expect(second.ids).toEqual([...missed, 300].map((version) => `evt_${version}`))
  expect(beside.ids).toEqual([1, 2, 3, ...missed, 300].map((version) => `evt_${version}`))
})

test(
  'who resumes from long ago is caught up page by page, with a pause for everything else after each',
  { tags: 'long' },
  async () => {
    const desk = await Desk.open()
    await rung(desk, ...Array.from({ length: 350 }, (_, nth) => nth + 1))
    const headers = { 'last-event-id': '0' }
    const readers = [await Reader.open(desk, '', headers), await Reader.open(desk, '', headers)]
    await expect.poll(() => readers.map(({ ids }) => ids.length)).toEqual([100, 0])
    await until(desk, () => readers.every(({ ids }) => ids.length >= 350))
    await desk.clock.advance(3_000)
    expect(readers.map(({ ids }) => ids.length)).toEqual([350, 350])
  },
)

test('beats while nothing happens, and the beat moves the place that is resumed from', async () => {
  const desk = await Desk.open()
  const reader = await Reader.open(desk, '?type=invoice.*')
  await rung(desk, 1, 2)
  await until(desk, () => reader.lastId === '2')
  expect(reader.ids).toEqual([])
  expect(reader.text).toMatch(/\n: \nid: 2\n\n$/)
})

test.each([
  ['?account=acme&type=shipment.*', 'event,delivery'],
  ['?account=other', ''],
  ['?type=invoice.*', ''],
  ['?subscription=erp', 'delivery'],
  ['?subscription=quiet', ''],
])('%s filters', async (query, kinds) => {
  const desk = await Desk.open()
  const [reader, all] = [await Reader.open(desk, query), await Reader.open(desk)]
  await rung(desk, 1)
  await until(desk, () => all.messages.length >= 2)
  await expect.poll(() => reader.messages.map(({ event }) => event).join(',')).toBe(kinds)
})

test('a place beyond the log is now; a malformed one is refused', async () => {
  const desk = await Desk.open()
  await rung(desk, 1)
  const reader = await Reader.open(desk, '', { 'last-event-id': '999' })
  await rung(desk, 2)
  await until(desk, () => reader.ids.length > 0)
  expect(reader.ids).toEqual(['evt_2'])
  expect((await Reader.open(desk, '', { 'last-event-id': 'x' })).status).toBe(422)
  expect((await Reader.open(desk, '', { authorization: 'Bearer x' })).status).toBe(401)
})

test('a stream ends with the token that opened it, and at once when the service stops', async () => {
  const desk = await Desk.open()
  const viewer = await Reader.open(desk, '', { authorization: `Bearer ${VIEWER}` })
  const admin = await Reader.open(desk)
  await desk.reload(`token: ${TOKEN}, viewer_token: another-viewer`)
  await desk.during(viewer.ended)
  await rung(desk, 1)
  await until(desk, () => admin.ids.length === 1)
  desk.stop()
  await admin.ended
  expect(viewer.ids).toEqual([])
})
