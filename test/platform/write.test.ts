import nock from 'nock'
import { describe, expect, test } from 'vitest'
import { API_KEY, clientOf } from './client-of.ts'
import { loopback } from './loopback.ts'
import { nockOnly } from './nock-only.ts'

const HOST = 'https://platform.example'
const ORDERS = '/v1/purchaseOrders'
const LINES = { reference: 'PO-1', product_lines: [{ ordered_quantity: 2 }] }

const client = nockOnly(HOST)

async function updated(status: number, body: string | object, headers: Record<string, string> = {}) {
  nock(HOST).patch(ORDERS).reply(status, body, headers)
  return await client.platform.updatePurchaseOrder(LINES)
}

describe('a write', () => {
  test('sends its body as JSON with the key, once', async () => {
    nock(HOST, { reqheaders: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' } })
      .patch(ORDERS, LINES)
      .reply(200, { reference: 'PO-1' })
    expect(await client.platform.updatePurchaseOrder(LINES)).toMatchObject({
      kind: 'ok',
      value: { reference: 'PO-1' },
      exchange: { method: 'PATCH', path: ORDERS, status: 200 },
    })
  })

  test('goes to its endpoint', async () => {
    nock(HOST).post(ORDERS, LINES).reply(201, { reference: 'PO-1' })
    expect(await client.platform.createPurchaseOrder(LINES)).toMatchObject({ kind: 'ok', exchange: { method: 'POST' } })
    nock(HOST).post('/v1/orderPreparations', { name: 'Spring' }).reply(201, { reference: 7 })
    expect(await client.platform.createOrderPreparation({ name: 'Spring' })).toMatchObject({
      kind: 'ok',
      value: { reference: '7' },
    })
  })

  test.each([
    [200, { reference: 'A' }, 'A'],
    [201, { reference: 'A', more: true }, 'A'],
    [202, {}, null],
    [204, '', null],
    [200, '<html>', null],
    [201, '{"reference":', null],
  ])('that answers %i was carried out, whatever its body', async (status, body, reference) => {
    expect(await updated(status, body)).toMatchObject({ kind: 'ok', value: { reference }, exchange: { status } })
  })

  test.each([
    [400, { error: { message: 'The field reference is missing.' } }, 'The field reference is missing.'],
    [404, { message: 'unknown order' }, 'unknown order'],
    [409, { errors: [{ detail: 'on a shipment' }] }, 'on a shipment'],
    [422, { error: 'bad quantity' }, 'bad quantity'],
    [422, 'plain words', 'plain words'],
    [400, { odd: { shape: 1 } }, '{"odd":{"shape":1}}'],
  ])('that answers %i %j is refused with what was said', async (status, body, said) => {
    expect(await updated(status, body)).toEqual({
      kind: 'refused',
      status,
      reason: `platform.example refused PATCH /v1/purchaseOrders with ${status}, saying "${said}".`,
      exchange: expect.objectContaining({ method: 'PATCH', status }),
    })
  })

  test('that is refused without a word says so', async () => {
    expect(await updated(409, '')).toMatchObject({
      reason: 'platform.example refused PATCH /v1/purchaseOrders with 409, without saying why.',
    })
  })

  test('that is refused never tells the API key, nor more than an excerpt', async () => {
    const outcome = await updated(400, { message: `${API_KEY} ${'x'.repeat(5_000)}` })
    if (outcome.kind !== 'refused') throw new Error(outcome.kind)
    expect(outcome.reason).toContain('[api key] xxx')
    expect(outcome.reason.length).toBeLessThan(400)
  })

  test('fails as a read does', async () => {
    expect(await updated(401, {})).toMatchObject({ kind: 'unauthorized' })
    expect(await updated(403, {})).toMatchObject({ kind: 'unauthorized' })
    expect(await updated(429, {}, { 'retry-after': '7' })).toMatchObject({ kind: 'throttled', retryAfterMs: 7_000 })
    expect(await updated(503, '', { 'retry-after': '7' })).toMatchObject({ kind: 'broken', retryAfterMs: 7_000 })
    expect(await updated(302, '', { location: 'https://x.example/' })).toMatchObject({ kind: 'broken' })
  })
})

describe('a write whose answer is lost', () => {
  test('is not sent again', async () => {
    nock.restore()
    let requests = 0
    await using server = await loopback((request) => {
      requests += 1
      request.on('end', () => request.socket.destroy()).resume()
    })
    await using local = clientOf(server.url)
    expect(await local.createPurchaseOrder(LINES)).toMatchObject({
      kind: 'unreachable',
      exchange: { method: 'POST', status: null },
    })
    expect(requests).toBe(1)
  })
})

describe('a call', () => {
  test('gives the answer as it is, whatever its status', async () => {
    nock(HOST)
      .get('/v1/shipments?take=2')
      .reply(200, [{ platform_shipment_id: 'A' }])
    expect(await client.platform.call({ method: 'get', path: 'shipments?take=2', body: null })).toMatchObject({
      kind: 'answered',
      status: 200,
      body: { kind: 'json', value: [{ platform_shipment_id: 'A' }], text: expect.any(String) },
    })
    nock(HOST).get('/v1/documents/D%201').reply(418, 'short and stout')
    expect(await client.platform.call({ method: 'GET', path: '/v1/documents/D 1', body: null })).toMatchObject({
      kind: 'answered',
      status: 418,
      body: { kind: 'text', text: 'short and stout' },
      reason: 'platform.example answered GET /v1/documents/D%201 with 418: "short and stout".',
    })
  })

  test('sends its body as it stands', async () => {
    const body = '{"reference":"A","product_lines":[{"ordered_quantity":90071992547409931}]}'
    let sent = ''
    await using server = await loopback((request, response) => {
      request.on('data', (chunk: Buffer) => (sent += chunk.toString()))
      request.on('end', () => response.writeHead(201).end('{}'))
    })
    nock.restore()
    await using local = clientOf(server.url)
    expect(await local.call({ method: 'POST', path: ORDERS, body })).toMatchObject({ status: 201 })
    expect(sent).toBe(body)
  })

  test('answered with JSON nested too deep is text', async () => {
    const text = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    nock(HOST).get('/v1/locations').reply(200, text)
    expect(await client.platform.call({ method: 'GET', path: '/v1/locations', body: null })).toMatchObject({
      body: { kind: 'text', text },
    })
  })

  test('to what is no endpoint rejects, naming those there are', async () => {
    await expect(client.platform.call({ method: 'DELETE', path: '/v1/shipments', body: null })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/no endpoint "DELETE \/v1\/shipments".*POST {2}\/v1\/orderPreparations/s),
    })
  })

  test('nobody answers is unreachable', async () => {
    nock(HOST)
      .get('/v1/locations')
      .replyWithError(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))
    expect(await client.platform.call({ method: 'GET', path: '/v1/locations', body: null })).toMatchObject({
      kind: 'unreachable',
    })
  })
})
