import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { Workplace } from '../support/shipbell.ts'
import { killed, stopped, WAIT } from './workplace.ts'

const PER_MS = 2_000
/** The platform sees a request a little after it was sent. */
const ON_THE_WAY_MS = 400

function configure(work: Workplace, url: string, { south = '50ms' } = {}): void {
  const account = (name: string, requests: number, every: string): string =>
    `  ${name}: { base_url: "${url}", api_key: ${API_KEY}, watch: { shipments: { every: ${every} } },` +
    ` budget: { requests: ${requests}, per: 2s, concurrency: ${requests / 4} } }`
  work.write(
    'shipbell.yaml',
    `accounts:\n${account('north', 8, '50ms')}\n${account('south', 12, south)}\nsubscriptions: {}\nhttp: false\n`,
  )
}

function mostWithin(times: readonly number[], ms: number): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length))
}

describe('two accounts with one key', () => {
  test('stay together within the smaller budget and concurrency, through a reload, a pause and a restart', async () => {
    using work = new Workplace()
    await using platform = await LoopbackPlatform.start()
    const times: number[] = []
    const atOnce: number[] = []
    let underWay = 0
    let throttleAt = Number.POSITIVE_INFINITY
    platform.replace = async () => {
      times.push(performance.now())
      if (times.length === throttleAt) return new Response('{}', { status: 429, headers: { 'retry-after': '10' } })
      underWay += 1
      atOnce.push(underWay)
      await delay(30)
      underWay -= 1
      return Response.json([{ platform_shipment_id: 'SHP-1', name: 'one', status: 'booked' }])
    }
    configure(work, platform.url)
    const daemon = work.start('run')
    await vi.waitFor(() => expect(times.length).toBeGreaterThan(12), WAIT)
    configure(work, platform.url, { south: '60ms' })
    daemon.kill('SIGHUP')
    await daemon.prints(/config\.reloaded/)
    await vi.waitFor(() => expect(times.length).toBeGreaterThan(24), WAIT)
    throttleAt = times.length + 1
    const untilAsked = async (): Promise<number> =>
      vi.waitFor(() => {
        const throttled = times[throttleAt - 1] ?? Number.NaN
        const next = times.find((at) => at > throttled + ON_THE_WAY_MS) ?? Number.NaN
        expect(next).not.toBeNaN()
        return next - throttled
      }, WAIT)
    expect(await untilAsked()).toBeGreaterThan(10_000 - ON_THE_WAY_MS)
    await killed(daemon)
    const before = times.length
    const again = work.start('run')
    await vi.waitFor(() => expect(times.length).toBeGreaterThan(before + 6), WAIT)
    await stopped(again)
    expect(mostWithin(times, PER_MS - ON_THE_WAY_MS)).toBeLessThanOrEqual(8)
    expect(mostWithin(times.slice(throttleAt + 1, before), PER_MS - ON_THE_WAY_MS)).toBeLessThanOrEqual(4)
    expect(mostWithin(times.slice(before), PER_MS - ON_THE_WAY_MS)).toBeLessThanOrEqual(4)
    expect(Math.max(...atOnce)).toBe(2)
  }, 60_000)
})
