import nock from 'nock'
import { describe, expect, test } from 'vitest'
import type { Failure, Outcome } from '../../src/platform/outcome.ts'
import { API_KEY, clientOf, FIRST_PAGE } from './client-of.ts'
import { nockOnly } from './nock-only.ts'

const HOST = 'https://platform.example'
const SHIPMENTS = '/v1/shipments?skip=0&take=100'
const HTML = '<!doctype html><html><body>Sign in</body></html>'

const client = nockOnly(HOST)

function failureOf(outcome: Outcome<unknown>): Failure | Extract<Outcome<unknown>, { kind: 'rejected' }> {
  if (outcome.kind === 'ok' || outcome.kind === 'empty' || outcome.kind === 'not_found') {
    throw new Error(`expected a failure, got ${outcome.kind}`)
  }
  return outcome
}

async function listed(status: number, body: string | object, headers: Record<string, string> = {}) {
  nock(HOST).get(SHIPMENTS).reply(status, body, headers)
  return await client.platform.list('shipment', FIRST_PAGE)
}

async function fetched(status: number, body: string | object, headers: Record<string, string> = {}) {
  nock(HOST).get('/v1/invoices/INV-1').reply(status, body, headers)
  return await client.platform.item('invoice', 'INV-1')
}

describe('a request', () => {
  test('carries the key, what it accepts and who asks', async () => {
    nock(HOST, {
      reqheaders: { authorization: `Bearer ${API_KEY}`, accept: 'application/json', 'user-agent': 'shipbell/test' },
    })
      .get(SHIPMENTS)
      .reply(200, [])
    expect((await client.platform.list('shipment', FIRST_PAGE)).kind).toBe('ok')
  })

  test.each([
    ['document', '/v1/documents'],
    ['purchase_order', '/v1/purchaseOrders'],
    ['location', '/v1/locations'],
  ] as const)('for a list of %s goes to %s', async (resource, path) => {
    nock(HOST).get(`${path}?skip=0&take=100`).reply(200, [])
    expect((await client.platform.list(resource, FIRST_PAGE)).kind).toBe('ok')
  })

  test('asks for the page it is told to', async () => {
    nock(HOST).get('/v1/invoices?skip=200&take=50').reply(200, [])
    const outcome = await client.platform.list('invoice', { skip: 200, take: 50, shipmentIdField: null })
    expect(outcome).toMatchObject({ kind: 'ok', exchange: { method: 'GET', path: '/v1/invoices?skip=200&take=50' } })
  })

  test.each([
    ['shipment', '/v1/shipments/X', { platform_shipment_id: 'X', name: 'Spring' }],
    ['tracking', '/v1/tracking/X', { platform_shipment_id: 'X', status: null, tracking_steps: null }],
    ['invoice', '/v1/invoices/X', { reference: 'X', status: 'due' }],
    ['document', '/v1/documents/X', { id: 'X', platform_shipment_id: 'S' }],
    ['purchase_order', '/v1/purchaseOrders/X', { po_number: 'X', purchase_order_lines: [] }],
    ['location', '/v1/locations/X', { id: 'X', city: 'Le Havre' }],
    ['order_preparation', '/v1/orderPreparations/X', { name: 'Spring', reference: "the client's own" }],
  ] as const)('of one %s goes to %s', async (resource, path, record) => {
    nock(HOST).get(path).reply(200, record)
    expect(await client.platform.item(resource, 'X')).toMatchObject({ kind: 'ok', value: record })
  })

  test('is timed from just before it is sent until its whole answer arrived', async () => {
    const { exchange } = await listed(200, [])
    expect(exchange).toEqual({
      method: 'GET',
      path: SHIPMENTS,
      sentAt: Date.UTC(2026, 10, 21, 8),
      answeredAt: Date.UTC(2026, 10, 21, 8, 0, 1),
      status: 200,
      bytes: 2,
    })
  })
})

describe('a list', () => {
  test('of rows is a page of records as sent', async () => {
    const row = { platform_shipment_id: 'SHP-1', status: 'booked', beyond: { the: ['interface'] } }
    expect(await listed(200, [row])).toMatchObject({
      kind: 'ok',
      value: { rows: [{ kind: 'record', id: 'SHP-1', record: row }], shipmentIdField: 'platform_shipment_id' },
    })
  })

  test('without rows is a page without rows', async () => {
    expect(await listed(200, [])).toMatchObject({ kind: 'ok', value: { rows: [], shipmentIdField: null } })
  })

  test('that answers 404 with an object is empty', async () => {
    expect(await listed(404, { message: 'no shipments found' })).toMatchObject({
      kind: 'empty',
      exchange: { status: 404 },
    })
  })

  test.each([
    ['an HTML page', HTML],
    ['a list', []],
    ['nothing', ''],
    ['text', '"gone"'],
  ])('that answers 404 with %s is broken: the path leads elsewhere', async (_what, body) => {
    const failure = failureOf(await listed(404, body))
    expect(failure.kind).toBe('broken')
    expect(failure.reason).toContain(`platform.example answered GET ${SHIPMENTS} with a 404 that is not the platform's`)
    expect(failure.reason).toContain('check base_url')
  })

  test.each([
    ['an object', { data: [] }, 'an object instead of a list'],
    ['null', 'null', 'null instead of a list'],
    ['a number', '42', 'a number instead of a list'],
  ])('that is %s is broken', async (_what, body, words) => {
    const failure = failureOf(await listed(200, body))
    expect(failure.kind).toBe('broken')
    expect(failure.reason).toContain(words)
  })
})

describe('an item', () => {
  test.each([
    ['an object', { message: 'unknown' }],
    ['no body', ''],
  ])('that answers 404 with %s is not found', async (_what, body) => {
    expect(await fetched(404, body)).toMatchObject({ kind: 'not_found', exchange: { status: 404 } })
  })

  test("that answers 404 with a proxy's page is broken", async () => {
    expect(failureOf(await fetched(404, HTML)).kind).toBe('broken')
  })

  test('that is a list is broken', async () => {
    const failure = failureOf(await fetched(200, [{ reference: 'INV-1' }]))
    expect(failure).toMatchObject({ kind: 'broken', retryAfterMs: null })
    expect(failure.reason).toBe('platform.example answered GET /v1/invoices/INV-1 with a list instead of a record.')
  })

  test('that names another record is rejected', async () => {
    const failure = failureOf(await fetched(200, { reference: 'INV-2' }))
    expect(failure.kind).toBe('rejected')
    expect(failure.reason).toContain('another record, "INV-2"')
  })

  test.each([{ status: 'FAILED' }, { status: 500, type: 'error' }, { status: 'ok', lines: [] }])(
    'that is a bare verdict is no record: %j',
    async (body) => {
      expect(failureOf(await fetched(200, body)).kind).toBe('broken')
    },
  )

  test('that is no record and nested too deep to be written as text is broken', async () => {
    const deep = `{"error":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const { kind, reason } = failureOf(await fetched(200, deep))
    expect(kind).toBe('broken')
    expect(reason).toContain('an object that is not the record: {"error":[[')
  })

  test('that names no record is the one asked for', async () => {
    expect(await fetched(200, { status: 'due' })).toMatchObject({ kind: 'ok', value: { status: 'due' } })
  })

  test.each([
    ['document', '/v1/documents/X', { id: 'Y', platform_shipment_id: 'X' }],
    ['purchase_order', '/v1/purchaseOrders/X', { po_number: 'Y' }],
    ['location', '/v1/locations/X', { id: 'Y' }],
  ] as const)('of kind %s that names another record is broken', async (resource, path, record) => {
    nock(HOST).get(path).reply(200, record)
    expect(failureOf(await client.platform.item(resource, 'X')).reason).toContain('another record, "Y"')
  })

  test('with its reference rendered as a number is the one asked for', async () => {
    nock(HOST).get('/v1/invoices/17').reply(200, { reference: 17, status: 'due' })
    expect(await client.platform.item('invoice', '17')).toMatchObject({ kind: 'ok', value: { reference: 17 } })
  })

  test.each([
    ['tracking', '/v1/tracking/X', { message: 'Internal server error' }],
    ['tracking', '/v1/tracking/X', {}],
    ['tracking', '/v1/tracking/X', { error: 'NO_SHIPMENTS', status: null, tracking_steps: null }],
    ['tracking', '/v1/tracking/X', { platform_shipment_id: null, status: null, tracking_steps: [] }],
    ['invoice', '/v1/invoices/X', { reference: '', type: '', lines: [] }],
    ['tracking', '/v1/tracking/X', { data: { platform_shipment_id: 'X', status: 'sailing' } }],
    ['tracking', '/v1/tracking/X', { timestamp: 1, status: 500, error: 'Internal Server Error', path: '/v1' }],
    ['invoice', '/v1/invoices/X', { type: 'about:blank', title: 'Oops', status: 500, detail: 'try later' }],
    ['shipment', '/v1/shipments/X', { platform_shipment_id: null, error: 'gone' }],
    ['location', '/v1/locations/X', { name: 'InternalError', message: 'try later' }],
    ['order_preparation', '/v1/orderPreparations/X', { error: 'maintenance' }],
    ['order_preparation', '/v1/orderPreparations/X', { reference: 'X', warnings: ['slow'] }],
    ['order_preparation', '/v1/orderPreparations/X', null],
    ['order_preparation', '/v1/orderPreparations/X', []],
  ] as const)('of kind %s at %s that answers 200 with %j has failed', async (resource, path, body) => {
    nock(HOST).get(path).reply(200, JSON.stringify(body))
    expect(await client.platform.item(resource, 'X')).toMatchObject({ kind: 'broken', retryAfterMs: null })
    nock(HOST).get(path).reply(200, JSON.stringify(body))
    expect(await client.platform.reread(resource, { id: 'X', known: null })).toMatchObject({ kind: 'broken' })
  })

  test.each([
    { reference: 'INV-1' },
    { reference: 'INV-1', warnings: ['carrier timeout'] },
    { reference: 'INV-1', status: null, error: 'try later' },
  ])('that has its identifier and nothing else of the interface is rejected: %j', async (body) => {
    const failure = failureOf(await fetched(200, body))
    expect(failure.kind).toBe('rejected')
    expect(failure.reason).toContain('it has its identifier and no other field of the interface')
  })

  test.each([
    { status: 'due', lines: [], message: 'ok', took_ms: 3, version: 2 },
    { status: 'due', due_date: '2026-11-26', page: 1 },
  ])(
    'without its identifier is the one asked for where it has parts or mostly fields of the interface',
    async (body) => {
      expect(await fetched(200, body)).toMatchObject({ kind: 'ok', value: body })
    },
  )

  test.each(['', 'Gone', JSON.stringify({ error: 'gone' })])('that answers 410 is gone: %j', async (body) => {
    expect(await fetched(410, body)).toMatchObject({ kind: 'not_found', exchange: { status: 410 } })
  })

  test("that answers 410 with a proxy's page is broken", async () => {
    expect(failureOf(await fetched(410, HTML)).kind).toBe('broken')
  })

  test('that answers 204 shows nothing', async () => {
    expect(await fetched(204, '')).toMatchObject({ kind: 'not_found', exchange: { status: 204 } })
  })

  test('that cannot be understood is rejected, saying where', async () => {
    const failure = failureOf(await fetched(200, { reference: 'INV-1', lines: { 0: {} } }))
    expect(failure.kind).toBe('rejected')
    expect(failure.reason).toContain('/lines should be a list, but is an object.')
  })

  test('that names its shipment in a field of the platform is compared by it', async () => {
    nock(HOST).get('/v1/tracking/S1').reply(200, { acme_shipment_id: 'S1', status: 'sailing' })
    expect((await client.platform.item('tracking', 'S1')).kind).toBe('ok')
    nock(HOST).get('/v1/tracking/S1').reply(200, { acme_shipment_id: 'S2' })
    expect((await client.platform.item('tracking', 'S1')).kind).toBe('rejected')
  })

  test('is compared by the configured shipment id field alone', async () => {
    await using platform = clientOf(HOST, { shipmentIdField: 'file' })
    nock(HOST).get('/v1/shipments/F-1').reply(200, { file: 'F-1', platform_shipment_id: 'internal' })
    expect((await platform.item('shipment', 'F-1')).kind).toBe('ok')
    nock(HOST).get('/v1/shipments/F-1').reply(200, { file: 'F-2', platform_shipment_id: 'F-1' })
    expect((await platform.item('shipment', 'F-1')).kind).toBe('rejected')
  })
})

describe('a refusal', () => {
  test.each([401, 403])('with %i is unauthorized, and the sentence says what to check', async (status) => {
    const failure = failureOf(await listed(status, { error: 'invalid token' }))
    expect(failure.kind).toBe('unauthorized')
    expect(failure.reason).toContain(`platform.example refused the API key (${status}) at GET ${SHIPMENTS}`)
    expect(failure.reason).toContain('check api_key')
  })

  test('with 429 and seconds is throttled for that long', async () => {
    const failure = failureOf(await listed(429, '', { 'retry-after': '30' }))
    expect(failure).toMatchObject({ kind: 'throttled', retryAfterMs: 30_000, exchange: { status: 429 } })
    expect(failure.reason).toContain('asking to wait 30s')
  })

  test('with 429 and a date is throttled until then, counted from the arrival of the answer', async () => {
    const failure = await listed(429, '', { 'retry-after': 'Sat, 21 Nov 2026 08:01:01 GMT' })
    expect(failure).toMatchObject({ kind: 'throttled', retryAfterMs: 60_000 })
  })

  test('with 429 alone is throttled without a floor', async () => {
    expect(await listed(429, {})).toMatchObject({ kind: 'throttled', retryAfterMs: null })
  })

  test.each([
    [{ date: 'Tue, 24 Nov 2026 08:00:00 GMT' }, 61_000],
    [{ date: 'Tue, 24 Nov 2026 08:00:00 GMT', age: '31' }, 30_000],
    [{ date: 'Tue, 24 Nov 2026 08:00:00 GMT', age: 'old' }, 61_000],
    [{ date: 'no date' }, 86_400_000],
  ])("with a date is counted from the answer's own Date: %j", async (headers, retryAfterMs) => {
    const failure = await listed(429, '', { ...headers, 'retry-after': 'Tue, 24 Nov 2026 08:01:01 GMT' })
    expect(failure).toMatchObject({ kind: 'throttled', retryAfterMs })
  })

  test('with 503 and Retry-After is broken with a floor', async () => {
    expect(await listed(503, 'maintenance', { 'retry-after': '120' })).toMatchObject({
      kind: 'broken',
      retryAfterMs: 120_000,
      reason: `platform.example answered GET ${SHIPMENTS} with 503, asking to wait 2m: "maintenance".`,
    })
  })

  test.each([204, 206, 400, 409, 418, 500, 502, 504])('with %i is broken', async (status) => {
    const failure = failureOf(await listed(status, status === 204 ? '' : { error: 'no' }, { 'retry-after': '5' }))
    expect(failure).toMatchObject({ kind: 'broken', retryAfterMs: null, exchange: { status } })
    expect(failure.reason).toContain(`with ${status}`)
  })

  test('with a redirect is broken and names the host it leads to', async () => {
    const failure = failureOf(await listed(302, '', { location: 'https://login.example/?next=%2Fv1' }))
    expect(failure.kind).toBe('broken')
    expect(failure.reason).toContain('with 302, a redirect to login.example, which is not followed')
  })

  test.each(['http://[', ''])('with a redirect to %j leads nowhere', async (location) => {
    expect(failureOf(await listed(301, '', { location })).reason).toContain('a redirect to nowhere')
  })
})

describe('an answer that is not JSON', () => {
  test.each([
    ['an HTML page', HTML, 'an HTML or XML page instead of JSON: "<!doctype html>'],
    ['cut-off JSON', '[{"platform_shipment_id":"SHP-1","na', 'JSON that is cut off or malformed: "[{'],
    ['nothing', '', 'an empty body instead of JSON.'],
    ['text', 'OK', 'something that is not JSON: "OK".'],
  ])('but %s is broken', async (_what, body, words) => {
    const failure = failureOf(await listed(200, body))
    expect(failure.kind).toBe('broken')
    expect(failure.reason).toContain(words)
  })

  test('is quoted in at most 120 printable characters', async () => {
    const failure = failureOf(await listed(500, `\u0007a\n\n${'é'.repeat(5_000)}`))
    const quoted = /: "(.*)"\.$/su.exec(failure.reason)?.[1]
    expect(quoted).toHaveLength(120)
    expect(quoted).toMatch(/^a é+…$/)
  })

  test.each([200, 401, 404, 429, 500])('never tells the API key in the sentence (%i)', async (status) => {
    const failure = failureOf(await listed(status, `bad header: "Bearer ${API_KEY}", really`))
    expect(failure.reason).toContain('Bearer [api key]')
    expect(failure.reason).not.toContain('secret')
  })
})
