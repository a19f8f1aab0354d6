import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { queuedMs } from '../support/queued-ms.ts'
import { Workplace, type RunningShipbell } from '../support/shipbell.ts'
import { killed, stopped, WAIT } from './workplace.ts'

const PER_MS = 2_000
/** The platform sees a request a little after it was sent. */
const ON_THE_WAY_MS = 400
/** Nothing is under way for so long. */
const LONG_MS = 5_000

function configure(work: Workplace, url: string, { south = '50ms' } = {}): void {
  const account = (name: string, requests: number, every: string): string =>
    `  ${name}: { base_url: "${url}", api_key: ${API_KEY}, watch: { shipments: { every: ${every} } },` +
    ` budget: { requests: ${requests}, per: 2s, concurrency: ${requests / 4} } }`
  work.write(
    'shipbell.yaml',
    `accounts:\n${account('north', 8, '50ms')}\n${account('south', 12, south)}\nsubscriptions: {}\nhttp: false\n`,
  )
}

/** A request as the platform saw it. */
interface Seen {
  readonly at: number
  /** How long the daemon and the platform had waited for a processor by then. */
  readonly queuedMs: number
}

/** The most requests within a span; one that a busy machine showed late was sent in a shorter one. */
function mostWithin(seen: readonly Seen[], ms: number): number {
  const within = (first: Seen): readonly Seen[] => {
    const before = seen.findLast(({ at }) => at < first.at - PER_MS / 2) ?? seen[0] ?? first
    const lateMs = Math.max(0, first.queuedMs - before.queuedMs)
    return seen.filter(({ at }) => at >= first.at && at < first.at + ms - lateMs)
  }
  return Math.max(...seen.map((first) => within(first).length))
}

describe('two accounts with one key', () => {
  test('stay together within the smaller budget and concurrency, through a reload, a pause and a restart', async () => {
    using work = new Workplace()
    await using platform = await LoopbackPlatform.start()
    const times: Seen[] = []
    const atOnce: number[] = []
    let underWay = 0
    let running: RunningShipbell | null = null
    let throttleAt = Number.POSITIVE_INFINITY
    platform.replace = async () => {
      times.push({ at: performance.now(), queuedMs: queuedMs(process.pid, running?.pid ?? process.pid) })
      if (times.length === throttleAt) return new Response('{}', { status: 429, headers: { 'retry-after': '10' } })
      underWay += 1
      atOnce.push(underWay)
      await delay(30)
      underWay -= 1
      return Response.json([{ platform_shipment_id: 'SHP-1', name: 'one', status: 'booked' }])
    }
    configure(work, platform.url)
    const daemon = (running = work.start('run'))
    await vi.waitFor(() => expect(times.length).toBeGreaterThan(12), WAIT)
    configure(work, platform.url, { south: '60ms' })
    daemon.kill('SIGHUP')
    await daemon.prints(/config\.reloaded/)
    await vi.waitFor(() => expect(times.length).toBeGreaterThan(24), WAIT)
    throttleAt = times.length + 1
    // One of the two that may be under way at once can have been sent before the answer of the other was there.
    const waited = await vi.waitFor(() => {
      const [first, ...others] = times.slice(throttleAt - 1).map(({ at }) => at)
      const [next = 0, second = 0] = others.map((at) => at - (first ?? at))
      expect(next > LONG_MS ? next : second).toBeGreaterThan(0)
      return next > LONG_MS ? next : second
    }, WAIT)
    expect(waited).toBeGreaterThan(10_000 - ON_THE_WAY_MS)
    running = null
    await killed(daemon)
    const before = times.length
    const again = (running = work.start('run'))
    await vi.waitFor(() => expect(times.length).toBeGreaterThan(before + 6), WAIT)
    running = null
    await stopped(again)
    expect(mostWithin(times, PER_MS - ON_THE_WAY_MS)).toBeLessThanOrEqual(8)
    expect(mostWithin(times.slice(throttleAt + 1, before), PER_MS - ON_THE_WAY_MS)).toBeLessThanOrEqual(4)
    expect(mostWithin(times.slice(before), PER_MS - ON_THE_WAY_MS)).toBeLessThanOrEqual(4)
    expect(Math.max(...atOnce)).toBe(2)
  })
})
