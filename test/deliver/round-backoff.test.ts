import { expect, test } from 'vitest'
import { RoundBackoff } from '../../src/deliver/steady-time.ts'

test('failures within one pause count once', () => {
  const backoff = new RoundBackoff()
  expect(backoff.failed(100)).toEqual({ waitMs: 1_000, isFirst: true })
  expect([110, 130, 1_099].map((now) => backoff.failed(now))).toEqual([
    { waitMs: 990, isFirst: false },
    { waitMs: 970, isFirst: false },
    { waitMs: 1, isFirst: false },
  ])
  expect(backoff.failed(1_100)).toEqual({ waitMs: 2_000, isFirst: true })
})

test('pauses double up to half a minute, and begin anew after a success', () => {
  const backoff = new RoundBackoff()
  const waits: number[] = []
  for (let now = 0, nth = 0; nth < 7; nth += 1) {
    const { waitMs } = backoff.failed(now)
    waits.push(waitMs)
    now += waitMs
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  backoff.succeeded()
  expect(backoff.failed(1_000_000).waitMs).toBe(1_000)
})
