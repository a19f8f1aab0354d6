import { afterEach, describe, expect, it } from 'vitest'
import { ShipbellError } from '../../src/errors.ts'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { DAY, START } from './spoken.ts'

const running: Sandbox[] = []

afterEach(async () => {
  for (const sandbox of running.splice(0)) await sandbox[Symbol.asyncDispose]()
})

async function start(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({
    port: 0,
    shipments: 30,
    speed: 60,
    seed: '1',
    apiKey: 'k',
    clock: new FakeClock(START),
    ...options,
  })
  running.push(sandbox)
  return sandbox
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

async function get(
  sandbox: Sandbox,
  path: string,
  headers: Record<string, string> = { authorization: 'Bearer k' },
): Promise<Answer> {
  const response = await fetch(sandbox.url + path, { headers })
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  return { status: response.status, body: await response.json() }
}

async function list(sandbox: Sandbox, path: string): Promise<readonly Record<string, unknown>[]> {
  const { status, body } = await get(sandbox, path)
  expect(status).toBe(200)
  if (!Array.isArray(body)) throw new TypeError('not a list')
  return body
}

function withoutLink(record: Record<string, unknown>): Record<string, unknown> {
  const { link: _, ...rest } = record
  return rest
}

const refusal = (status: number) => ({
  status,
  body: { error: { status, message: expect.stringMatching(/^[A-Z].+\.$/) } },
})

describe('the key', () => {
  it('is required on every path, known or not', async () => {
    const sandbox = await start()
    for (const path of ['/v1/shipments', '/v1/invoices', '/v1/nothing', '/']) {
      expect(await get(sandbox, path, {})).toEqual(refusal(401))
      expect(await get(sandbox, path, { authorization: 'Bearer wrong' })).toEqual(refusal(401))
      expect(await get(sandbox, path, { authorization: 'Basic k' })).toEqual(refusal(401))
      expect(await get(sandbox, path, { authorization: 'Bearer ' })).toEqual(refusal(401))
    }
  })
})

describe('lists', () => {
  it('give ten records, or as many as are asked for, never more than a hundred', { tags: 'long' }, async () => {
    const sandbox = await start({ shipments: 120 })
    expect(await list(sandbox, '/v1/shipments')).toHaveLength(10)
    expect(await list(sandbox, '/v1/shipments?take=3')).toHaveLength(3)
    expect(await list(sandbox, '/v1/shipments?take=5000')).toHaveLength(100)
    expect(await list(sandbox, '/v1/shipments?skip=100&take=100')).toHaveLength(20)
  })

  it('can be read page by page, each record once', async () => {
    const sandbox = await start()
    const pages = [0, 7, 14, 21, 28].map((skip) => list(sandbox, `/v1/shipments?skip=${skip}&take=7`))
    const paged = (await Promise.all(pages)).flat()
    expect(paged).toEqual(await list(sandbox, '/v1/shipments?take=100'))
    const invoices = await list(sandbox, '/v1/invoices?take=100')
    const halves = [
      ...(await list(sandbox, '/v1/invoices?take=5')),
      ...(await list(sandbox, '/v1/invoices?skip=5&take=95')),
    ]
    expect(halves).toEqual(invoices)
    for (const path of ['documents', 'purchaseOrders', 'locations']) {
      const whole = await list(sandbox, `/v1/${path}?take=100`)
      const parts = [
        ...(await list(sandbox, `/v1/${path}?take=5`)),
        ...(await list(sandbox, `/v1/${path}?skip=5&take=95`)),
      ]
      expect(whole.length).toBeGreaterThan(10)
      expect(parts.map(withoutLink)).toEqual(whole.map(withoutLink))
    }
    const sent = invoices.map((each) => Date.parse(String(each['sent_date'])))
    expect(sent).toEqual([...sent].sort((a, b) => b - a))
  })

  it('refuse skip and take that are no counts, and say so', async () => {
    const sandbox = await start()
    for (const query of [
      'skip=-1',
      'take=-5',
      'take=ten',
      'skip=1.5',
      'take=',
      'take=1e2',
      'skip=99999999999999999999',
    ]) {
      expect(await get(sandbox, `/v1/shipments?${query}`)).toEqual(refusal(400))
      expect(await get(sandbox, `/v1/invoices?${query}`)).toEqual(refusal(400))
    }
  })

  it('of shipments answer 404 with an object where there are none, the others an empty list', async () => {
    const sandbox = await start()
    expect(await get(sandbox, '/v1/shipments?skip=30')).toEqual(refusal(404))
    expect(await get(sandbox, '/v1/invoices?skip=100000')).toEqual({ status: 200, body: [] })
    const empty = await start({ shipments: 0 })
    expect(await get(empty, '/v1/shipments')).toEqual(refusal(404))
    for (const path of ['invoices', 'documents', 'purchaseOrders', 'locations'])
      expect(await get(empty, `/v1/${path}`)).toEqual({ status: 200, body: [] })
  })
})

describe('single records', () => {
  it('are the same as their list rows', async () => {
    const sandbox = await start()
    for (const row of await list(sandbox, '/v1/shipments?take=5')) {
      const id = String(row['platform_shipment_id'])
      expect(await get(sandbox, `/v1/shipments/${id}`)).toEqual({ status: 200, body: row })
      expect(await get(sandbox, `/v1/tracking/${id}`)).toMatchObject({
        status: 200,
        body: { platform_shipment_id: id },
      })
    }
  })

  it('of documents carry a link that is signed anew for each answer, in lists too', async () => {
    const sandbox = await start()
    const [[first], [second]] = [
      await list(sandbox, '/v1/documents?take=1'),
      await list(sandbox, '/v1/documents?take=1'),
    ]
    const third = (await get(sandbox, `/v1/documents/${String(first?.['id'])}`)).body
    expect(third).toMatchObject(withoutLink(first ?? {}))
    const links = [first, second, third].map((each) => String(Object(each)['link']))
    expect(new Set(links).size).toBe(3)
    for (const link of links)
      expect(link).toMatch(
        /^http:\/\/127\.0\.0\.1:\d+\/files\/doc_\w+\/[\w-]+\.pdf\?X-Expires=2026-11-21T.*Z\.\d+&X-Signature=[0-9a-f]{32}$/,
      )
  })

  it('are found by references with spaces and slashes, percent-encoded', async () => {
    const sandbox = await start({ shipments: 100 })
    const rows = await list(sandbox, '/v1/invoices?take=100')
    const awkward = rows.filter((row) => /[ /]/.test(String(row['reference'])))
    expect(awkward.length).toBeGreaterThan(0)
    for (const row of rows) {
      expect(await get(sandbox, `/v1/invoices/${encodeURIComponent(String(row['reference']))}`)).toEqual({
        status: 200,
        body: row,
      })
    }
  })

  it('answer 404 with an object for unknown ids, broken encodings and endpoints that are not there', async () => {
    const sandbox = await start()
    const [row] = await list(sandbox, '/v1/shipments?take=1')
    const id = String(row?.['platform_shipment_id'])
    const later = id.replace(/\d{5}$/, '09999')
    for (const path of [
      'shipments/none',
      `shipments/${later}`,
      `shipments/${id}0`,
      `shipments/X${id}`,
      'tracking/none',
      'invoices/none',
      'invoices/%E0%A4%A',
      'shipments/__proto__',
      'shipments/a%2Fb',
      'documents/none',
      'documents/__proto__',
      'purchaseOrders/none',
      'purchaseOrders/constructor',
      'orderPreparations/none',
      'orderPreparations/OP-0',
      'orderPreparations/OP-16',
      'orderPreparations/OP-01',
      'orderPreparations',
      'locations/none',
      'locations/7001.0',
      'nothing',
    ]) {
      expect(await get(sandbox, `/v1/${path}`)).toEqual(refusal(404))
    }
  })
})

describe('time', () => {
  it('starts at the real now and runs faster', async () => {
    const clock = new FakeClock(START)
    const sandbox = await start({ clock, speed: 2_000 })
    expect(sandbox.calendarNow()).toBe(START)
    const before = await get(sandbox, '/v1/shipments?take=30')
    expect(await get(sandbox, '/v1/shipments?take=30')).toEqual(before)
    clock.jump(START + 60_000)
    expect(sandbox.calendarNow()).toBe(START + 120_000_000)
    expect(await get(sandbox, '/v1/shipments?take=30')).not.toEqual(before)
  })

  it('can start elsewhere, and the same start shows the same world', async () => {
    const [one, other] = [
      await start({ startAt: START - 300 * DAY }),
      await start({ startAt: START - 300 * DAY, clock: new FakeClock(5) }),
    ]
    expect(one.calendarNow()).toBe(START - 300 * DAY)
    expect(await get(one, '/v1/shipments')).toEqual(await get(other, '/v1/shipments'))
  })
})

describe('the port', () => {
  it('is named in one sentence when it is taken', async () => {
    const { port } = await start()
    const error: unknown = await start({ port }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ShipbellError)
    expect(error).toMatchObject({
      code: 'port_in_use',
      message: expect.stringMatching(new RegExp(`127\\.0\\.0\\.1:${port} .*--port\\.$`)),
    })
  })

  it('is free again after disposal, open connections or not', async () => {
    const first = await start()
    await get(first, '/v1/shipments')
    await first[Symbol.asyncDispose]()
    running.splice(0)
    const again = await start({ port: first.port })
    expect(again.port).toBe(first.port)
  })
})
