import { expect, test } from 'vitest'
import { ring, sampleEvent } from '../store/samples.ts'
import { Desk, TOKEN, VIEWER } from './desk.ts'
import { holdConnections } from './held-connections.ts'

/** Far less than the whole of what a test would wait for. */
const AT_ONCE_MS = 1_000

test('an address with thousands of parameters costs no more than another one', async () => {
  const desk = await Desk.open()
  await desk.ask('/events', { token: VIEWER })
  const before = performance.now()
  const shown = await desk.ask(`/events?type=invoice.due&${'a&'.repeat(7_900)}`, { token: VIEWER })
  expect(performance.now() - before).toBeLessThan(AT_ONCE_MS)
  expect(shown.text).toContain('invoice.due')
  const { text } = await desk.ask(`/events?${Array.from({ length: 2_000 }, (_, n) => `p${n}=1`).join('&')}`, {
    token: VIEWER,
  })
  expect(text.length).toBeLessThan(200_000)
})

test('an instant before all time is no instant', async () => {
  const desk = await Desk.open()
  const since = '104000000d'
  for (const path of ['/api/v1/events', '/api/v1/slips', '/deliveries', '/deliveries/retry'])
    expect((await desk.ask(`${path}?since=${since}`, { token: TOKEN })).status).toBe(422)
  const body = JSON.stringify({ subscription: 'erp', since })
  expect((await desk.ask('/api/v1/deliveries/retry', { method: 'POST', token: TOKEN, body })).status).toBe(422)
})

test('what is no form signs nobody in, and is no failure of ours', async () => {
  const desk = await Desk.open()
  const headers = { 'content-type': 'multipart/form-data' }
  expect((await desk.ask('/login', { method: 'POST', headers, body: 'hello' })).status).toBe(401)
  expect(desk.logged('admin.failed')).toEqual([])
})

test('counting what a retry would send gives way to everything else', async () => {
  const desk = await Desk.open()
  await ringMany(desk, 600)
  const ask = async (more = '') => await desk.ask(`/deliveries/retry?subscription=erp${more}`, { token: TOKEN })
  expect((await ask()).text).toContain('Retry 600 deliveries?')
  let isCounted = false
  const counting = ask('&missing=on').then((answer) => {
    isCounted = true
    return answer
  })
  for (let asked = 0; asked < 5; asked += 1) await desk.ask('/healthz')
  expect(isCounted).toBe(false)
  expect((await desk.during(counting)).text).toContain('Retry 600 deliveries?')
})

test('a retry of many rows is logged with all that chose them, before it is through', async () => {
  const desk = await Desk.open()
  await ringMany(desk, 600)
  const body = 'subscription=erp&account=acme&state=held'
  const asked = await desk.during(desk.ask('/deliveries/retry', { method: 'POST', token: TOKEN, body }))
  expect(asked.status).toBe(303)
  const line = { who: 'http.token', action: 'retry', subscription: 'erp', account: 'acme', states: ['held'] }
  expect(desk.logged('admin.acted').at(-1)).toMatchObject(line)
  const { text } = await desk.ask(String(asked.headers.location), { token: TOKEN, headers: { accept: 'text/html' } })
  expect(text).toContain('running')
})

test.each([
  ['nothing', ''],
  ['half a head', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: '],
  ['half a body', 'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\na'],
] as const)('of 400 connections of one address that send %s 64 are kept, and others are answered', async (_, sent) => {
  const desk = await Desk.open()
  expect((await desk.ask('/healthz')).status).toBe(200)
  const held = holdConnections(desk, { amount: 400, sent, from: ['127.0.0.1'] })
  await held.connected()
  const before = performance.now()
  expect((await desk.ask('/healthz')).status).toBe(200)
  expect(performance.now() - before).toBeLessThan(AT_ONCE_MS)
  await expect.poll(held.open).toBeLessThanOrEqual(64)
  expect(held.open()).toBeGreaterThan(60)
  expect(held.sockets.slice(0, 100).every(({ closed }) => closed)).toBe(true)
})

test('a connection waits for its next request as for its first', async () => {
  const desk = await Desk.open()
  const held = holdConnections(desk, {
    amount: 100,
    sent: 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n',
    from: ['127.0.0.1'],
  })
  await expect.poll(held.open).toBe(64)
})

/** Of a subscription that takes none. */
async function ringMany(desk: Desk, amount: number): Promise<void> {
  await desk.ask('/api/v1/subscriptions/erp/disable', { method: 'POST', token: TOKEN })
  const events = Array.from({ length: amount }, (_, nth) =>
    sampleEvent(`evt_${nth}`, {
      subject: { resource: 'shipment', id: `SHP-${nth}`, version: 1, previousEventId: null },
    }),
  )
  await ring(desk.store, events, ['erp'])
}
