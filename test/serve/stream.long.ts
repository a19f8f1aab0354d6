import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { ring, sampleEvent } from '../store/samples.ts'
import { Desk, TOKEN } from './desk.ts'
import { Reader, rung, until } from './stream-reader.ts'

test('there is place for 256, and a place that is left is free', async () => {
  const desk = await Desk.open()
  const readers = await Promise.all(Array.from({ length: 256 }, async () => await Reader.open(desk)))
  const refused = await desk.ask('/api/v1/stream', { token: TOKEN })
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
  readers[0]?.cut()
  await expect.poll(async () => (await Reader.open(desk)).status).toBe(200)
  await rung(desk, 1)
  await until(desk, () => readers.slice(1).every(({ ids }) => ids.length === 1))
})

test('a reader that takes nothing is cut, and the others go on', async () => {
  const desk = await Desk.open()
  const other = await Reader.open(desk)
  const { hostname, port } = new URL(desk.url)
  const slow = connect(Number(port), hostname)
  const gone = once(slow, 'close')
  slow.on('error', () => undefined)
  slow.write(`GET /api/v1/stream HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`)
  await once(slow, 'readable')
  const previous = { text: 'x'.repeat(100_000) }
  for (let version = 1; version <= 200; version += 1) {
    const subject = { resource: 'shipment', id: 'SHP-1', version, previousEventId: null } as const
    await ring(desk.store, [sampleEvent(`evt_${version}`, { subject, extras: previous })], [])
  }
  await until(desk, () => other.ids.length === 200)
  await desk.clock.advance(31_000)
  slow.resume()
  await gone
  await rung(desk, 999)
  await until(desk, () => other.ids.length === 201)
})
