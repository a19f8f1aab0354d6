import { expect, test } from 'vitest'
import { Retention } from '../../src/deliver/retention.ts'
import { createLogger } from '../../src/log.ts'
import type { LedgerSweep, PayloadSweep, SweptLedger, SweptPayloads } from '../../src/store/ports/retention-port.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { subscription } from '../support/subscription.ts'

const DAY = 86_400_000
const T = Date.UTC(2026, 10, 21, 8)
const DONE = { expired: 0, end: null }

const LEDGER = 365 * DAY

/** One over a store that answers with `steps` and `drops` in turn, and then has nothing to do. */
function retentionOf(steps: (SweptPayloads | Error)[], payloadsMs = 30 * DAY, drops: SweptLedger[] = []) {
  const asked: PayloadSweep[] = []
  const dropping: LedgerSweep[] = []
  const lines: string[] = []
  const clock = new FakeClock(T)
  const retention = new Retention({
    store: {
      expirePayloads: async (sweep) => {
        asked.push(sweep)
        const step = steps.shift() ?? DONE
        if (step instanceof Error) throw step
        return step
      },
      dropEnded: async (sweep) => {
        dropping.push(sweep)
        return drops.shift() ?? { dropped: 0, end: null }
      },
      listRecords: async () => 0,
      endFeed: async () => ({ ended: 0, isDone: true }),
    },
    clock,
    log: createLogger({
      level: 'info',
      pretty: false,
      colour: false,
      secrets: () => [],
      write: (line) => lines.push(line),
    }),
    settings: () => ({ retention: { payloadsMs, ledgerMs: LEDGER }, subscriptions: [] }),
  })
  const stop = new AbortController()
  return { asked, dropping, lines, clock, stop, retention }
}

test('payloads whose time has come expire at once and then hourly, until it is stopped', async () => {
  const { asked, clock, stop, retention } = retentionOf([])
  const running = retention.run(stop.signal)
  await clock.advance(2 * 3_600_000)
  expect(asked.map(({ before }) => before)).toEqual([0, 1, 2].map((hour) => T + hour * 3_600_000 - 30 * DAY))
  stop.abort()
  await running
  expect(asked).toHaveLength(3)
})

test('a short retention is looked at more often, but not without pause', async () => {
  for (const [payloadsMs, everyMs] of [
    [60_000, 6_000],
    [0, 1_000],
  ] as const) {
    const { asked, clock, stop, retention } = retentionOf([], payloadsMs)
    const running = retention.run(stop.signal)
    await clock.advance(everyMs)
    expect(asked).toHaveLength(2)
    stop.abort()
    await running
  }
})

test('a sweep goes on step by step, with a pause for others after each, and says what it did in one line', async () => {
  const place = { storedAt: 1, ref: 1 }
  const { asked, lines, clock, stop, retention } = retentionOf([
    { expired: 200, end: place },
    { expired: 7, end: null },
  ])
  const sweeping = retention.once(stop.signal)
  await clock.advance(0)
  expect(asked).toHaveLength(1)
  await clock.advance(1_000)
  await sweeping
  expect(asked.map(({ after }) => after)).toEqual([null, place])
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'retention.swept', expired: 207, dropped: 0 }),
  ])
})

test('a stop ends a sweep between two steps', async () => {
  const { asked, clock, dropping, stop, retention } = retentionOf([{ expired: 1, end: { storedAt: 1, ref: 1 } }])
  const running = retention.run(stop.signal)
  await clock.advance(0)
  stop.abort()
  await running
  expect([asked.length, dropping.length]).toEqual([1, 0])
})

test('what ended long ago is dropped once payloads have expired, step by step', async () => {
  const place = { storedAt: 1, ref: 1 }
  const drops = [
    { dropped: 50, end: place },
    { dropped: 3, end: null },
  ]
  const { asked, clock, dropping, lines, retention, stop } = retentionOf([{ expired: 1, end: null }], 30 * DAY, drops)
  const running = retention.run(stop.signal)
  await clock.advance(0)
  expect([asked.length, dropping.length]).toEqual([1, 1])
  await clock.advance(1_000)
  expect(dropping).toMatchObject([
    { before: T - LEDGER, after: null },
    { before: T - LEDGER, after: place },
  ])
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'retention.swept', expired: 1, dropped: 53 }),
  ])
  stop.abort()
  await running
})

test('a process that ends soon leaves the rest of a long ledger to the next one', async () => {
  const endless = Array.from({ length: 1_000 }, () => ({ dropped: 50, end: { storedAt: 1, ref: 1 } }))
  const { clock, dropping, retention, stop } = retentionOf([], 30 * DAY, endless)
  const sweeping = retention.once(stop.signal)
  await clock.advance(60_000)
  await sweeping
  expect(dropping).toHaveLength(250)
})

test('a store that fails is tried again, with one line', async () => {
  const { asked, lines, clock, stop, retention } = retentionOf([new Error('the disk is full')])
  const running = retention.run(stop.signal)
  await clock.advance(3_600_000)
  expect(asked).toHaveLength(2)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('retention.stalled')
  stop.abort()
  await running
})

test('who rings what became of endpoints is told of a feed of which rows were exhausted', async () => {
  const ended = [2, 1, 0]
  let told = 0
  const channel = {
    kind: 'pull',
    keepMs: DAY,
    payload: 'full',
    format: 'standard',
    hidden: [],
    timeoutMs: 0,
    concurrency: 0,
  } as const
  const retention = new Retention({
    store: {
      expirePayloads: async () => DONE,
      dropEnded: async () => ({ dropped: 0, end: null }),
      listRecords: async () => 0,
      endFeed: async () => ({ ended: ended.shift() ?? 0, isDone: true }),
    },
    clock: new FakeClock(T),
    log: createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined }),
    settings: () => ({
      retention: { payloadsMs: DAY, ledgerMs: DAY },
      subscriptions: [subscription('warehouse', { channel })],
    }),
    onUntaken: () => (told += 1),
  })
  const { signal } = new AbortController()
  for (const expected of [1, 2, 2]) {
    await retention.once(signal)
    expect(told).toBe(expected)
  }
})
