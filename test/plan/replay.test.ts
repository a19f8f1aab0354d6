import { describe, expect, it } from 'vitest'
import { replay, type PastChange, type ReplayedChange, type ReplayUnit } from '../../src/plan/replay.ts'

const T = Date.UTC(2026, 10, 21)
const MINUTE = 60_000
const HOUR = 3_600_000

const page = (skip: number) => ({ kind: 'page', resource: 'shipment', skip }) as const
const tracking = (id: string) => ({ kind: 'item', resource: 'tracking', id }) as const

const PAGES: readonly ReplayUnit[] = Array.from({ length: 10 }, (_, nth) => ({
  target: page(nth * 100),
  everyMs: 20 * MINUTE,
  mix: nth === 9 ? { finished: 100 } : { at_sea: 90, inland: 10 },
}))
const ITEMS: readonly ReplayUnit[] = Array.from({ length: 20 }, (_, nth) => ({
  target: tracking(`SHP-${nth}`),
  everyMs: 4 * HOUR,
  phase: { phase: 'at_sea', until: null },
}))

function run(
  changes: readonly PastChange[],
  { perMinute, hours = 24 }: { perMinute: number; hours?: number },
): readonly ReplayedChange[] {
  const units = [...PAGES, ...ITEMS]
  return replay({ units, changes, weights: {}, allowed: perMinute / MINUTE, from: T, to: T + hours * HOUR })
}

function delays(replayed: readonly ReplayedChange[]): readonly number[] {
  return replayed.map(({ change, seenAt }) => (seenAt ?? Number.POSITIVE_INFINITY) - change.at)
}

function mean(all: readonly number[]): number {
  return all.reduce((sum, each) => sum + each, 0) / all.length
}

/** One in every seven minutes, most of them on the first page. */
const ROWS: readonly PastChange[] = Array.from({ length: 180 }, (_, nth) => ({
  target: page(nth % 4 === 0 ? 700 : 0),
  id: `SHP-${nth % 20}`,
  at: T + 30 * MINUTE + nth * 7 * MINUTE,
}))

describe('the past with another budget', () => {
  it('shows each change at the first read of what it is on', () => {
    const replayed = run(ROWS, { perMinute: 2 })
    expect(replayed).toHaveLength(180)
    expect(Math.min(...delays(replayed))).toBeGreaterThanOrEqual(0)
    expect(new Set(replayed.map(({ change }) => change)).size).toBe(180)
  })

  it('lets nothing go unseen for longer than is promised, where the budget covers that', () => {
    const slot = MINUTE
    const quiet = Array.from({ length: 20 }, (_, nth) => {
      return { target: page(900), id: 'SHP-1', at: T + HOUR + nth * 61 * MINUTE }
    })
    expect(Math.max(...delays(run([...ROWS, ...quiet], { perMinute: 1 })))).toBeLessThanOrEqual(20 * MINUTE + 12 * slot)
  })

  it('is seen sooner with more requests', { tags: 'long' }, () => {
    const [one, four, twenty] = [1, 4, 20].map((perMinute) => mean(delays(run(ROWS, { perMinute }))))
    expect(four).toBeLessThan(one ?? 0)
    expect(twenty).toBeLessThan(four ?? 0)
  })

  it('reads at once what a row announces of its tracking', () => {
    const rows = ROWS.map((change) => ({ ...change, target: tracking(change.id) }))
    const together = run([...ROWS, ...rows], { perMinute: 4 })
    const of = (kind: 'page' | 'item') => delays(together.filter(({ change }) => change.target.kind === kind))
    expect(mean(of('item'))).toBeLessThan(mean(of('page')) + 2 * MINUTE)
    expect(mean(delays(run(rows, { perMinute: 4 })))).toBeGreaterThan(3 * mean(of('item')))
  })

  it('tells what would not have been seen by the end, and leaves out what nothing shows and what came before', () => {
    const late = { target: page(0), id: 'SHP-1', at: T + HOUR - 2_000 }
    const early = { ...late, at: T - 1 }
    const nowhere = { ...late, target: page(5_000) }
    expect(run([late, early, nowhere], { perMinute: 1, hours: 1 - 1 / 3_600 })).toEqual([
      { change: late, seenAt: null },
    ])
  })
})
