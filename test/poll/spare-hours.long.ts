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

  test('says once that no budget covers the promises, and once that it does again', async () => {
    const watch = { shipments: WATCH.shipments, tracking: { ...WATCH.tracking, everyMs: 5 * MINUTE } }
    await using polling = await baselined(27, { budget: sixAMinute, watch })
    const said = (): readonly unknown[] =>
      polling.lines
        .filter(({ msg }) => String(msg).startsWith('plan.'))
        .map(({ level: _level, time: _time, pid: _pid, hostname: _hostname, ...line }) => line)
    await polling.run(HOUR)
    expect(said()).toEqual([
      {
        msg: 'plan.promises_do_not_fit',
        account: 'acme',
        // 27 rows are the most that a page ever had: only the next one shows that they are all.
        needed_per_hour: 2 * 60 + 27 * 12,
        allowed_per_hour: 360,
        every_is_times: 1.64,
        see: '`shipbell plan`',
      },
    ])
    polling.platform.shipments = polling.platform.shipments.slice(0, 24)
    await polling.run(HOUR)
    expect(said().slice(1)).toMatchObject([{ msg: 'plan.promises_fit', needed_per_hour: 60 + 1 + 24 * 12 }])
  })
})
