import { expect, test } from 'vitest'
import { PayloadExpiry } from '../../src/deliver/payload-expiry.ts'
import { createLogger } from '../../src/log.ts'
import type { PayloadSweep, SweptPayloads } from '../../src/store/retention-port.ts'
import { FakeClock } from '../support/fake-clock.ts'

const DAY = 86_400_000
const T = Date.UTC(2026, 10, 21, 8)
const DONE = { expired: 0, end: null }

/** An expiry over a store that answers with `steps` in turn, and then has nothing to expire. */
function expiryOf(steps: (SweptPayloads | Error)[], retentionMs = 30 * DAY) {
  const asked: PayloadSweep[] = []
  const lines: string[] = []
  const clock = new FakeClock(T)
  const expiry = new PayloadExpiry({
    store: {
      expirePayloads: async (sweep) => {
        asked.push(sweep)
        const step = steps.shift() ?? DONE
        if (step instanceof Error) throw step
        return step
      },
    },
    clock,
    log: createLogger({
      level: 'info',
      pretty: false,
      colour: false,
      secrets: () => [],
      write: (line) => lines.push(line),
    }),
    retentionMs: () => retentionMs,
  })
  const stop = new AbortController()
  return { asked, lines, clock, stop, expiry }
}

test('payloads whose time has come expire at once and then hourly, until it is stopped', async () => {
  const { asked, clock, stop, expiry } = expiryOf([])
  const running = expiry.run(stop.signal)
  await clock.advance(2 * 3_600_000)
  expect(asked.map(({ before }) => before)).toEqual([0, 1, 2].map((hour) => T + hour * 3_600_000 - 30 * DAY))
  stop.abort()
  await running
  expect(asked).toHaveLength(3)
})

test('a short retention is looked at more often, but not without pause', async () => {
  for (const [retentionMs, everyMs] of [
    [60_000, 6_000],
    [0, 1_000],
  ] as const) {
    const { asked, clock, stop, expiry } = expiryOf([], retentionMs)
    const running = expiry.run(stop.signal)
    await clock.advance(everyMs)
    expect(asked).toHaveLength(2)
    stop.abort()
    await running
  }
})

test('a sweep goes on step by step, with a pause for others after each, and says what it did in one line', async () => {
  const place = { storedAt: 1, ref: 1 }
  const { asked, lines, clock, stop, expiry } = expiryOf([
    { expired: 200, end: place },
    { expired: 7, end: null },
  ])
  const sweeping = expiry.sweep(stop.signal)
  await clock.advance(0)
  expect(asked).toHaveLength(1)
  await clock.advance(1_000)
  await sweeping
  expect(asked.map(({ after }) => after)).toEqual([null, place])
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'retention.swept', expired: 207 }),
  ])
})

test('a stop ends a sweep between two steps', async () => {
  const { asked, stop, expiry } = expiryOf([{ expired: 1, end: { storedAt: 1, ref: 1 } }])
  stop.abort()
  await expiry.sweep(stop.signal)
  expect(asked).toHaveLength(1)
})

test('a store that fails is tried again, with one line', async () => {
  const { asked, lines, clock, stop, expiry } = expiryOf([new Error('the disk is full')])
  const running = expiry.run(stop.signal)
  await clock.advance(3_600_000)
  expect(asked).toHaveLength(2)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('retention.stalled')
  stop.abort()
  await running
})
