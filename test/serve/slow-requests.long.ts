import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { Desk, TOKEN } from './desk.ts'
import { holdConnections } from './held-connections.ts'

/** How long the connection lasts, and the status of what was answered. */
async function send(
  desk: Desk,
  text: string,
): Promise<{ readonly seconds: number; readonly status: string | undefined }> {
  const { hostname, port } = new URL(desk.url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('error', () => undefined).on('data', (bytes) => (answer += bytes.toString()))
  const before = performance.now()
  socket.write(text)
  await once(socket, 'close')
  return { seconds: (performance.now() - before) / 1_000, status: /^HTTP\/1.1 (\d+)/.exec(answer)?.[1] }
}

test.concurrent.each([
  ['nothing', ''],
  ['half a line', 'GET /heal'],
  ['half a head', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: '],
  [
    'half a body',
    `POST /api/v1/deliveries/retry HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  ],
])('a request of which %s comes is given up after 5 s', async (_, text) => {
  const desk = await Desk.open()
  const { seconds, status } = await send(desk, text)
  expect(seconds).toBeGreaterThan(4.5)
  expect(seconds).toBeLessThan(8)
  expect(['408', undefined]).toContain(status)
})

test.each([
  [15_000, '200'],
  [17_000, '431'],
])('a head of %i bytes is answered %s', async (size, expected) => {
  const desk = await Desk.open()
  const head = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-A: ${'a'.repeat(size)}\r\n\r\n`
  expect((await send(desk, head)).status).toBe(expected)
})

test('of 900 connections of many addresses 512 are kept, and others are answered', async () => {
  const desk = await Desk.open()
  expect((await desk.ask('/healthz')).status).toBe(200)
  const from = Array.from({ length: 15 }, (_, nth) => `127.0.0.${nth + 2}`)
  const held = holdConnections(desk, { amount: 900, sent: '', from })
  await held.connected()
  const before = performance.now()
  expect((await desk.ask('/healthz')).status).toBe(200)
  expect(performance.now() - before).toBeLessThan(1_000)
  await expect.poll(held.open).toBeLessThanOrEqual(512)
  expect(held.open()).toBeGreaterThan(500)
})
