import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ActivityProfile } from '../../src/plan/activity-profile.ts'
import { UnitQueue, type Unit } from '../../src/plan/unit-queue.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21)
const PROFILE = new ActivityProfile()

function unit(key: string, changesPerDay: number, minutesAgo: number): Unit {
  return { key, rate: changesPerDay / DAY, weight: 1, readAt: NOW - minutesAgo * 60_000 }
}

function scoreOf({ rate, readAt, weight }: Unit): number {
  return weight * rate * (NOW - readAt) ** 2
}

describe('the unit that is worth the next request', () => {
  const units = fc.uniqueArray(
    fc.record({
      key: fc.string({ minLength: 1, maxLength: 4 }),
      perDay: fc.double({ min: 0.001, max: 500, noNaN: true }),
      minutes: fc.integer({ min: 0, max: 3_000 }),
      weight: fc.constantFrom(0.5, 1, 4),
    }),
    { selector: ({ key }) => key, maxLength: 60 },
  )

  it('is the one with the largest weight times rate times age squared, to within the rates that are taken for equal', () => {
    fc.assert(
      fc.property(units, (drawn) => {
        const all = drawn
          .map(({ key, perDay, minutes, weight }) => ({ ...unit(key, perDay, minutes), weight }))
          .toSorted((left, right) => left.readAt - right.readAt)
        const queue = new UnitQueue()
        for (const each of all) queue.put(each)
        const worth = all.filter(({ rate, readAt }) => NOW - readAt >= 5_000 && rate * (NOW - readAt) >= 1 / 2_000)
        const best = queue.best(NOW, PROFILE)
        if (best === null) expect(worth.length).toBe(0)
        else expect(scoreOf(best) * 1.06).toBeGreaterThanOrEqual(Math.max(0, ...worth.map(scoreOf)))
      }),
    )
  })

  it('reads each in proportion to the square root of its rate', () => {
    const queue = new UnitQueue()
    for (let index = 0; index < 20; index += 1) {
      queue.put({ ...unit(`slow ${index}`, 1, 0), readAt: NOW })
      queue.put({ ...unit(`fast ${index}`, 16, 0), readAt: NOW })
    }
    const reads = { slow: 0, fast: 0 }
    for (let minute = 1; minute < 20_000; minute += 1) {
      const now = NOW + minute * 60_000
      const best = queue.best(now, PROFILE)
      if (best === null) continue
      reads[best.key.startsWith('fast') ? 'fast' : 'slow'] += 1
      queue.put({ ...best, readAt: now })
    }
    expect(reads.fast / reads.slow).toBeGreaterThan(3.7)
    expect(reads.fast / reads.slow).toBeLessThan(4.3)
  })

  it('is none while nothing is likely to have changed, and says when something will be', () => {
    const queue = new UnitQueue()
    queue.put({ ...unit('a', 1, 0), readAt: NOW })
    expect(queue.best(NOW + 30_000, PROFILE)).toBeNull()
    const at = queue.nextAt(NOW + 30_000) ?? 0
    expect(at - NOW).toBeCloseTo(DAY / 2_000, -1)
    expect(queue.best(at + 1, PROFILE)?.key).toBe('a')
  })

  it('is never one that was read within five seconds, however lively, nor after a clock was set back', () => {
    const queue = new UnitQueue()
    queue.put({ ...unit('a', 1e9, 0), readAt: NOW })
    expect(queue.best(NOW + 4_999, PROFILE)).toBeNull()
    expect(queue.best(NOW - DAY, PROFILE)).toBeNull()
    expect(queue.best(NOW + 5_000, PROFILE)?.key).toBe('a')
  })

  it('keeps units of one rate in the order in which they were put, whatever comes and goes', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
      perDay: fc.constantFrom(0, 1, 16),
    })
    fc.assert(
      fc.property(fc.array(fc.record({ step, isGone: fc.boolean() }), { maxLength: 300 }), (steps) => {
        const queue = new UnitQueue()
        const put = new Map<string, Unit>()
        for (const [nth, { isGone, step }] of steps.entries()) {
          put.delete(step.key)
          if (isGone) queue.remove(step.key)
          else {
            const each = { ...unit(step.key, step.perDay, 0), readAt: NOW + nth }
            queue.put(each)
            if (each.rate > 0) put.set(step.key, each)
          }
        }
        const [left, all] = [[...queue], [...put.values()]]
        for (const perDay of [1, 16]) {
          const isOf = ({ rate }: Unit): boolean => rate === perDay / DAY
          expect(left.filter(isOf)).toEqual(all.filter(isOf))
        }
        expect([left.length, queue.size]).toEqual([all.length, all.length])
      }),
    )
  })

  it('forgets what is removed, and takes nothing that never changes', () => {
    const queue = new UnitQueue()
    queue.put(unit('a', 1, 1_000))
    queue.put(unit('never', 0, 1_000))
    expect(queue.size).toBe(1)
    queue.remove('a')
    queue.remove('unknown')
    expect([queue.size, queue.best(NOW, PROFILE), queue.nextAt(NOW)]).toEqual([0, null, null])
  })
})
