import { afterEach, describe, expect, it } from 'vitest'
import { parseFaultRates, type FaultRates } from '../../src/sandbox/fault-rates.ts'
import { faultSource, type FaultSource } from '../../src/sandbox/fault-source.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { START } from './spoken.ts'

const none = parseFaultRates('none')
const heavy = parseFaultRates('heavy')
const running: Sandbox[] = []

afterEach(async () => {
  for (const sandbox of running.splice(0)) await sandbox[Symbol.asyncDispose]()
})

async function start(faults: Partial<FaultRates>, seed = '1'): Promise<Sandbox> {
  const clock = new FakeClock(START)
  const sandbox = await startSandbox({
    port: 0,
    shipments: 40,
    speed: 1,
    seed,
    apiKey: 'k',
    clock,
    faults:
      Object.entries(faults)
        .map(([name, rate]) => `${name}=${rate}`)
        .join(',') || 'none',
  })
  running.push(sandbox)
  return sandbox
}

async function ask(sandbox: Sandbox, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(sandbox.url + path, { ...init, headers: { authorization: 'Bearer k' } })
}

async function idsOf(sandbox: Sandbox, path: string): Promise<readonly unknown[]> {
  const rows: unknown = await (await ask(sandbox, path)).json()
  return Array.isArray(rows) ? rows.map((row: Record<string, unknown>) => row['platform_shipment_id']) : []
}

describe('a spec of faults', () => {
  it('is a profile or probabilities, those not named being 0', () => {
    expect(none).toEqual({ '429': 0, '500': 0, stall: 0, broken: 0, html: 0, shift: 0 })
    expect(heavy).toEqual({ '429': 0.05, '500': 0.05, stall: 0.01, broken: 0.03, html: 0.03, shift: 0.3 })
    expect(parseFaultRates('429=0.05,500=.02, stall=0.01,broken=0.02,html=0.01,shift=0.1')).toEqual({
      '429': 0.05,
      '500': 0.02,
      stall: 0.01,
      broken: 0.02,
      html: 0.01,
      shift: 0.1,
    })
    expect(parseFaultRates('500=1,shift=1')).toEqual({ ...none, '500': 1, shift: 1 })
    expect(parseFaultRates('429=0.7,500=0.1,stall=0.2')).toMatchObject({ '429': 0.7 })
  })

  it.each([
    'storm',
    '',
    '429',
    '429=',
    '429=2',
    '429=-0.1',
    '429=0.1,',
    '429=0.1,429=0.2',
    'toString=1',
    '500=1e-3',
    '500=0.1;html=0.1',
  ])('is refused in one sentence: %j', (text) => {
    expect(() => parseFaultRates(text)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringMatching(/^--faults must be none, light, heavy or .*\.$/),
      }),
    )
  })

  it('is refused where the faults that exclude each other are more than certain', () => {
    expect(() => parseFaultRates('429=0.6,500=0.6')).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringMatching(/must not sum up to more than 1/) }),
    )
  })
})

describe('what goes wrong', () => {
  const asked = Array.from({ length: 60 }, (_, nth) => ({
    method: 'GET',
    url: `http://127.0.0.1:${nth}/v1/shipments?skip=${(nth % 4) * 10}`,
  }))
  const fates = (source: FaultSource) =>
    asked.map((request) => [source.answerFault(request), source.rowShift(request)] as const)
  const rates = { ...heavy, '429': 0.3 }

  it('is the same with the same seed, and something else with another', () => {
    const first = fates(faultSource({ rates, seed: 'a' }))
    expect(fates(faultSource({ rates, seed: 'a' }))).toEqual(first)
    expect(fates(faultSource({ rates, seed: 'b' }))).not.toEqual(first)
  })

  it('does not depend on what else is asked for in between', () => {
    const [alone, busy] = [faultSource({ rates, seed: 'a' }), faultSource({ rates, seed: 'a' })]
    const request = { method: 'GET', url: 'http://h/v1/documents' }
    for (let nth = 0; nth < 50; nth += 1) {
      busy.answerFault({ method: 'GET', url: `http://h/v1/locations/${nth % 3}` })
      expect(busy.answerFault(request)).toEqual(alone.answerFault(request))
    }
  })

  it('happens as often as its probability says', () => {
    const source = faultSource({ rates: heavy, seed: 'often' })
    const count = new Map<string, number>()
    for (let nth = 0; nth < 4_000; nth += 1) {
      const kind = source.answerFault({ method: 'GET', url: 'http://h/v1/invoices' })?.kind ?? 'none'
      count.set(kind, (count.get(kind) ?? 0) + 1)
    }
    const share = (kind: string): number => (count.get(kind) ?? 0) / 4_000
    expect(share('throttled')).toBeCloseTo(0.05, 1)
    expect(share('error')).toBeCloseTo(0.05, 1)
    for (const kind of ['stall', 'broken', 'html']) expect(share(kind)).toBeGreaterThan(0)
    expect(share('none')).toBeGreaterThan(0.75)
  })

  it('is nothing without --faults', () => {
    expect(fates(faultSource({ rates: none, seed: 'a' }))).toEqual(asked.map(() => [null, 0]))
  })
})

describe('over HTTP', () => {
  it('429 asks to wait some seconds', async () => {
    const response = await ask(await start({ '429': 1 }), '/v1/shipments')
    expect([response.status, await response.json()]).toEqual([
      429,
      { error: { status: 429, message: expect.any(String) } },
    ])
    expect(response.headers.get('retry-after')).toMatch(/^[1-3]$/)
  })

  it('500 is an error, and a write was not carried out', async () => {
    const broken = await start({ '500': 1 })
    const body = JSON.stringify({ reference: 'X', product_lines: [{ ordered_quantity: 1 }] })
    expect((await ask(broken, '/v1/purchaseOrders', { method: 'POST', body })).status).toBe(500)
    expect((await ask(broken, '/v1/purchaseOrders/X')).status).toBe(500)
  })

  it('broken JSON is the beginning of the answer', async () => {
    const [broken, sound] = [await start({ broken: 1 }), await start({})]
    const response = await ask(broken, '/v1/shipments')
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    const whole = await (await ask(sound, '/v1/shipments')).text()
    expect(whole.startsWith(text) && text.length < whole.length && text !== '').toBe(true)
  })

  it('HTML comes with 200', async () => {
    const response = await ask(await start({ html: 1 }), '/v1/invoices')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await response.text()).toMatch(/^<!doctype html>/)
  })

  it('a stalled answer does not come, and keeps neither the client nor the sandbox', async () => {
    const sandbox = await start({ stall: 1 })
    await expect(ask(sandbox, '/v1/shipments', { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/)
    const waiting = ask(sandbox, '/v1/shipments')
    const ended = expect(waiting).rejects.toThrow('fetch failed')
    await ask(sandbox, '/v1/shipments', { signal: AbortSignal.timeout(20) }).catch(() => undefined)
    await sandbox[Symbol.asyncDispose]()
    running.splice(0)
    await ended
  })

  it('shifted pages miss rows or give rows again, the first page never', async () => {
    const [shifting, steady] = [await start({ shift: 1 }), await start({})]
    const all = await idsOf(steady, '/v1/shipments?take=100')
    expect(await idsOf(shifting, '/v1/shipments?take=10')).toEqual(all.slice(0, 10))
    const shifts = new Set<number>()
    for (let nth = 0; nth < 20; nth += 1) {
      const [first] = await idsOf(shifting, '/v1/shipments?skip=10&take=10')
      shifts.add(all.indexOf(first) - 10)
    }
    expect([...shifts].sort((a, b) => a - b)).toEqual([-3, -2, -1, 1, 2, 3])
  })

  it('a request without the key is refused all the same', async () => {
    const sandbox = await start({ '500': 1 })
    const response = await fetch(`${sandbox.url}/v1/shipments`)
    expect(response.status).toBe(401)
    await response.body?.cancel()
  })
})
