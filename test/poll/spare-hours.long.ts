import { describe, expect, test } from 'vitest'
import { trackingOf, WATCH } from './polling.ts'
import { asked, baselined, HOUR, MINUTE, seldom, sixAMinute } from './spare-reading.ts'

describe('what the promises leave of the budget', () => {
  test('is kept for what is likely, too, where no budget covers the promises', async () => {
    const watch = {
      shipments: { ...WATCH.shipments, everyMs: MINUTE },
      tracking: { ...WATCH.tracking, everyMs: MINUTE },
    }
    await using polling = await baselined(60, { budget: sixAMinute, watch })
    await polling.run(3 * HOUR)
    const all = asked(polling, /./)
    for (const [nth, at] of all.entries()) expect((all[nth + 6] ?? Infinity) - at).toBeGreaterThanOrEqual(MINUTE)
    const read = new Set(polling.platform.asked.map(({ what }) => what).filter((what) => what.startsWith('tracking/')))
    expect(read.size).toBe(60)
    const pages = asked(polling, /^shipments\?/)
    expect(Math.max(...pages.map((at, nth) => (pages[nth + 1] ?? at) - at))).toBeLessThan(30 * MINUTE)
  })

  test('keeps promises again as soon as the budget covers them again, however long they were to be stretched', async () => {
    const watch = {
      shipments: { ...WATCH.shipments, everyMs: HOUR },
      tracking: { ...WATCH.tracking, everyMs: 10 * MINUTE },
      locations: { everyMs: 5 * HOUR, ignore: [] },
    }
    await using polling = await baselined(45, { budget: sixAMinute, watch })
    const startedAt = polling.clock.now()
    let refusals = 0
    polling.platform.trouble = (what) => {
      if (!what.startsWith('shipments')) return null
      refusals += 1
      return refusals === 1 ? { kind: 'throttled', retryAfterMs: MINUTE } : null
    }
    await polling.run(7 * HOUR)
    const passes = asked(polling, /^locations\?skip=0/).filter((at) => at > startedAt)
    expect(passes).toHaveLength(2)
    expect((passes[1] ?? Infinity) - (passes[0] ?? 0)).toBeLessThan(5 * HOUR + 5 * MINUTE)
  })

  test('is spent by what was learnt before a restart', async () => {
    await using polling = await baselined(40, { ...seldom, budget: sixAMinute })
    for (let round = 1; round <= 15; round += 1) {
      polling.platform.tracking.set(
        'SHP-5',
        trackingOf('SHP-5', ...Array.from({ length: round }, (_, nth) => `Event ${nth}`)),
      )
      await polling.run(10 * MINUTE)
    }
    await polling.restart()
    const restartedAt = polling.clock.now()
    await polling.run(2 * HOUR)
    const reads = (id: string): number =>
      asked(polling, new RegExp(`^tracking/${id}$`)).filter((at) => at >= restartedAt).length
    expect(reads('SHP-5')).toBeGreaterThan(2 * Math.max(reads('SHP-6'), reads('SHP-15'), reads('SHP-25')))
  })
})
