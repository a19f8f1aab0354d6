import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { NO_CLOCK_IS_SET, idOf, Polling, shipment, shipments, trackingOf, WATCH } from './polling.ts'
import { asked, baselined, HOUR, MINUTE, seldom, sixAMinute } from './spare-reading.ts'

function emitted(events: readonly ShipbellEvent[]): readonly (readonly [string, string])[] {
  return events
    .filter(({ account, type }) => account !== null && !type.startsWith('account.'))
    .map(({ type, subject }) => [type, subject.id] as const)
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
})
