import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { NO_CLOCK_IS_SET, idOf, Polling, shipment, shipments, trackingOf, WATCH } from './polling.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SELDOM = { everyMs: 6 * HOUR, ignore: [] } as const

const seldom = {
  watch: { shipments: { ...WATCH.shipments, ...SELDOM }, tracking: { ...WATCH.tracking, ...SELDOM } },
}
const sixAMinute = { requests: 6, perMs: MINUTE, concurrency: 1, share: 1 } as const

/** Shipments with their trackings, read once. */
async function baselined(count: number, settings: ConstructorParameters<typeof Polling>[0]): Promise<Polling> {
  const polling = new Polling(settings, NO_CLOCK_IS_SET)
  polling.platform.shipments = shipments(count)
  for (const each of polling.platform.shipments) {
    polling.platform.tracking.set(idOf(each), trackingOf(idOf(each), 'Gate in'))
  }
  await polling.pass()
  return polling
}

function emitted(events: readonly ShipbellEvent[]): readonly (readonly [string, string])[] {
  return events
    .filter(({ account, type }) => account !== null && !type.startsWith('account.'))
    .map(({ type, subject }) => [type, subject.id] as const)
}

function asked(polling: Polling, what: RegExp): readonly number[] {
  return polling.platform.asked.filter((each) => what.test(each.what)).map(({ at }) => at)
}

function rename(polling: Polling, id: string, name: string): void {
  polling.platform.shipments = polling.platform.shipments.map((each) => (idOf(each) === id ? { ...each, name } : each))
}

describe('what the promises leave of the budget', () => {
  test('goes where change is likely: a change rings long before its turn, and its tracking is read at once', async () => {
    await using polling = await baselined(20, seldom)
    await polling.run(5 * MINUTE)
    rename(polling, 'SHP-7', 'Renamed')
    const changedAt = polling.clock.now()
    polling.platform.tracking.set('SHP-7', trackingOf('SHP-7', 'Gate in', 'Loaded'))
    await polling.run(5 * MINUTE)
    expect(emitted(await polling.events())).toEqual([
      ['shipment.updated', 'SHP-7'],
      ['tracking.event_added', 'SHP-7'],
    ])
    const page = asked(polling, /^shipments\?/).find((at) => at >= changedAt)
    const tracking = asked(polling, /^tracking\/SHP-7$/).find((at) => at >= changedAt)
    expect((tracking ?? Infinity) - (page ?? Infinity)).toBeLessThan(1_000)
  })

  test('goes there from the first reading on, of an account that nothing was known of', async () => {
    await using polling = new Polling({ ...seldom, budget: sixAMinute }, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(3)
    await polling.run(30 * MINUTE)
    expect(asked(polling, /./).filter((at) => at > polling.clock.now() - 20 * MINUTE).length).toBeGreaterThan(10)
  })

  test('shows what is new, and never that something is gone', async () => {
    await using polling = await baselined(20, seldom)
    await polling.run(MINUTE)
    const passes = asked(polling, /^shipments\?/).length
    polling.platform.shipments = [
      ...polling.platform.shipments.filter((each) => idOf(each) !== 'SHP-3'),
      shipment('SHP-21'),
    ]
    await polling.run(30 * MINUTE)
    expect(asked(polling, /^shipments\?/).length).toBeGreaterThan(passes + 10)
    expect(emitted(await polling.events())).toEqual([['shipment.created', 'SHP-21']])
    expect((await polling.store.known('acme', 'shipment', ['SHP-3'])).get('SHP-3')).toMatchObject({
      removed: false,
      // By the pass that a start begins with; those beyond count for nothing.
      misses: 1,
    })
  })

  test('is never more than the budget, and promises are kept beside it', async () => {
    const watch = {
      shipments: { ...WATCH.shipments, everyMs: 10 * MINUTE },
      tracking: { ...WATCH.tracking, everyMs: 30 * MINUTE },
    }
    await using polling = await baselined(30, { budget: sixAMinute, watch })
    await polling.run(2 * HOUR)
    const all = asked(polling, /./)
    for (const [nth, at] of all.entries()) expect((all[nth + 6] ?? Infinity) - at).toBeGreaterThanOrEqual(MINUTE)
    expect(all.length).toBeGreaterThan(100)
    for (const [what, everyMs] of [
      [/^shipments\?/, 10 * MINUTE],
      [/^tracking\/SHP-9$/, 30 * MINUTE],
      [/^tracking\/SHP-30$/, 30 * MINUTE],
    ] as const) {
      const reads = asked(polling, what)
      const gaps = reads.map((at, nth) => (reads[nth + 1] ?? polling.clock.now()) - at)
      expect(Math.max(...gaps)).toBeLessThanOrEqual(everyMs)
    }
  })

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
        see: 'shipbell plan',
      },
    ])
    polling.platform.shipments = polling.platform.shipments.slice(0, 24)
    await polling.run(HOUR)
    expect(said().slice(1)).toMatchObject([{ msg: 'plan.promises_fit', needed_per_hour: 60 + 1 + 24 * 12 }])
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

  test('is what the passes leave over lists that are empty, too, and over the requests that show where lists end', async () => {
    const watch = {
      shipments: { ...WATCH.shipments, everyMs: MINUTE },
      documents: { everyMs: MINUTE, ignore: [] },
      locations: { everyMs: MINUTE, ignore: [] },
    }
    const needed = async (count: number, restarts: boolean): Promise<readonly unknown[]> => {
      await using polling = await baselined(count, { budget: { ...sixAMinute, requests: 3 }, watch })
      if (restarts) await polling.restart()
      await polling.run(10 * MINUTE)
      return polling.lines
        .filter(({ msg }) => msg === 'plan.promises_do_not_fit')
        .map((line) => line['needed_per_hour'])
    }
    expect([await needed(0, false), await needed(100, false), await needed(100, true)]).toEqual([[], [240], [240]])
  })

  test('is spent on nothing before there is a baseline', async () => {
    await using polling = new Polling(seldom, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(5)
    polling.platform.trouble = (what) => (what.startsWith('shipments?skip=0') ? null : { kind: 'broken' })
    await polling.run(HOUR)
    expect(asked(polling, /^shipments\?skip=0/).length).toBeGreaterThan(0)
    expect(emitted(await polling.events())).toEqual([])
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
