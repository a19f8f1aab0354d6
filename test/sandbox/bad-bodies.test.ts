import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { START } from './spoken.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({
    port: 0,
    shipments: 3,
    speed: 1,
    seed: '1',
    apiKey: 'k',
    clock: new FakeClock(START),
  })
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
})

async function send(method: string, path: string, body: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(sandbox.url + path, { method, body, headers: { authorization: 'Bearer k' } })
  return { status: response.status, body: await response.json() }
}

async function get(path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(sandbox.url + path, { headers: { authorization: 'Bearer k' } })
  return { status: response.status, body: await response.json() }
}

const line = { ordered_quantity: 1 }
const seven = Array.from({ length: 7 }, (_, nth) => ({ name: `n${nth}`, value: 'v' }))

describe('a bad body', () => {
  it.each([
    ['POST', 'purchaseOrders', { product_lines: [line] }, 'The field reference must be a text.'],
    [
      'POST',
      'purchaseOrders',
      { reference: ' ', product_lines: [line] },
      'The field reference must be a text that is not empty.',
    ],
    ['POST', 'purchaseOrders', { reference: 7, product_lines: [line] }, 'The field reference must be a text.'],
    ['POST', 'purchaseOrders', { reference: 'A' }, 'The field product_lines must be a list.'],
    [
      'POST',
      'purchaseOrders',
      { reference: 'A', product_lines: [line, { ordered_quantity: '5' }] },
      'The field product_lines.1.ordered_quantity must be a number.',
    ],
    [
      'POST',
      'purchaseOrders',
      { reference: 'A', product_lines: [{ ordered_quantity: -1 }] },
      'The field product_lines.0.ordered_quantity must be a number of 0 or more.',
    ],
    [
      'POST',
      'purchaseOrders',
      { reference: 'A', product_lines: [{ ...line, unit_price: { amount: 1, currency: 'XXX' } }] },
      expect.stringMatching(/^The field product_lines\.0\.unit_price\.currency must be one of AED, AUD, .*\.$/),
    ],
    [
      'POST',
      'purchaseOrders',
      { reference: 'A', product_lines: [line], custom_parameters: seven },
      'The field custom_parameters must be a list of at most 6.',
    ],
    [
      'POST',
      'purchaseOrders',
      { reference: 'A', product_lines: [line], desired_delivery_date: '2027-02-30' },
      'The field desired_delivery_date must be a date as YYYY-MM-DD.',
    ],
    ['PATCH', 'purchaseOrders', { reference: 'A' }, 'The field product_lines must be a list.'],
    ['PATCH', 'purchaseOrders', { product_lines: [line] }, 'The field reference must be a text.'],
    [
      'POST',
      'orderPreparations',
      { incoterm: 'abc' },
      expect.stringMatching(/^The field incoterm must be one of cfr, .*\.$/),
    ],
    ['POST', 'orderPreparations', { instructions: 'none' }, 'The field instructions must be an object.'],
    [
      'POST',
      'orderPreparations',
      { instructions: { target_pickup_date: 'soon' } },
      'The field instructions.target_pickup_date must be a date as YYYY-MM-DD or milliseconds since 1970.',
    ],
    ['POST', 'orderPreparations', [], 'The body must be an object.'],
    ['POST', 'orderPreparations', null, 'The body must be an object.'],
  ])('is refused with its field: %s %s %j', async (...given) => {
    const [method, path, body, message] = given
    expect(await send(method, `/v1/${path}`, JSON.stringify(body))).toEqual({
      status: 400,
      body: { error: { status: 400, message } },
    })
  })

  it('that is no JSON is refused', async () => {
    for (const text of ['', '{', 'reference=A', '[1,'])
      expect(await send('POST', '/v1/purchaseOrders', text)).toMatchObject({
        status: 400,
        body: { error: { message: 'The body must be JSON, but it is not.' } },
      })
  })

  it('that is nested deep or huge breaks nothing', async () => {
    const deep = `{"reference":"A","product_lines":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect((await send('POST', '/v1/purchaseOrders', deep)).status).toBe(400)
    expect((await send('POST', '/v1/purchaseOrders', `"${'x'.repeat(2_000_000)}"`)).status).toBe(413)
    const hostile = '{"__proto__":{"reference":"A"},"reference":"__proto__","product_lines":[{"ordered_quantity":1}]}'
    expect(await send('POST', '/v1/purchaseOrders', hostile)).toEqual({ status: 201, body: { reference: '__proto__' } })
    expect(await send('POST', '/v1/purchaseOrders', hostile)).toMatchObject({ status: 409 })
  })

  it('changes nothing', async () => {
    const response = await fetch(`${sandbox.url}/v1/purchaseOrders/A`, { headers: { authorization: 'Bearer k' } })
    expect(response.status).toBe(404)
    await response.body?.cancel()
  })
})

describe('what the interface leaves open', () => {
  it('is taken: lines without a quantity, no lines, any text for is_hazardous', async () => {
    const reference = 'OPEN-1'
    const read = async (): Promise<unknown> => (await get(`/v1/purchaseOrders/${reference}`)).body
    const product = { is_hazardous: 'class 9' }
    const lines = [{ reference: '10', ordered_quantity: 4, product }, { reference: '20' }]
    expect(await send('POST', '/v1/purchaseOrders', JSON.stringify({ reference, product_lines: lines }))).toMatchObject(
      {
        status: 201,
      },
    )
    expect(await read()).toMatchObject({
      purchase_order_lines: [{ ordered_quantity: 4, product }, { ordered_quantity: null }],
    })
    const patch = { reference, product_lines: [{ reference: '20', ordered_quantity: 7 }, { reference: '10' }] }
    expect(await send('PATCH', '/v1/purchaseOrders', JSON.stringify(patch))).toMatchObject({ status: 200 })
    expect(await read()).toMatchObject({
      purchase_order_lines: [
        { reference: '20', ordered_quantity: 7 },
        { reference: '10', ordered_quantity: 4 },
      ],
    })
    const none = JSON.stringify({ reference, product_lines: [] })
    expect(await send('PATCH', '/v1/purchaseOrders', none)).toMatchObject({ status: 200 })
    expect(await read()).toMatchObject({ purchase_order_lines: [] })
  })

  it('is taken: a page of no rows, which is not the end of a list', async () => {
    for (const path of ['shipments', 'invoices', 'documents', 'purchaseOrders', 'locations'])
      expect(await get(`/v1/${path}?take=0`)).toEqual({ status: 200, body: [] })
    expect(await get('/v1/shipments?skip=3&take=0')).toMatchObject({ status: 404, body: expect.any(Object) })
  })
})

describe('the methods', () => {
  it.each([
    ['DELETE', '/v1/purchaseOrders'],
    ['PUT', '/v1/purchaseOrders'],
    ['POST', '/v1/shipments'],
    ['PATCH', '/v1/orderPreparations'],
    ['POST', '/v1/locations'],
  ])('%s %s is no endpoint', async (method, path) => {
    expect((await send(method, path, '{}')).status).toBe(404)
  })
})
