import { describe, expect, test } from 'vitest'
import { Polling, NO_CLOCK_IS_SET, shipments, trackingOf, WATCH } from './polling.ts'

describe('a platform that fails (guarantee D9)', () => {
  test('a clock set back by a day stops nothing', async () => {
    await using polling = new Polling({ budget: { requests: 20, perMs: 60_000, concurrency: 4, share: 1 } })
    polling.platform.shipments = shipments(3)
    for (const id of ['SHP-1', 'SHP-2', 'SHP-3']) polling.platform.tracking.set(id, trackingOf(id))
    await polling.run(1_200_000)
    polling.clock.jump(polling.clock.now() - 86_400_000)
    polling.platform.asked.length = 0
    await polling.run(3_600_000)
    const asked = Map.groupBy(polling.platform.asked, ({ what }) => what.split(/[?/]/)[0])
    for (const resource of ['shipments', 'invoices', 'tracking']) {
      expect(asked.get(resource)?.length, resource).toBeGreaterThan(50)
    }
  })

  test('one item that is refused or cannot be understood is no trouble of the account', async () => {
    await using polling = new Polling({}, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(5)
    await polling.pass()
    for (const kind of ['forbidden', 'rejected'] as const) {
      polling.platform.trouble = (what) => (what === 'tracking/SHP-3' ? { kind } : null)
      await polling.run(1_800_000)
    }
    expect((await polling.types()).filter((type) => type !== 'account.baseline_completed')).toEqual([
      'account.record_rejected',
    ])
  })

  test('one tracking that always fails holds up no other', async () => {
    await using polling = new Polling({}, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(20)
    for (let n = 1; n <= 20; n += 1) polling.platform.tracking.set(`SHP-${n}`, trackingOf(`SHP-${n}`, 'Gate in'))
    await polling.pass()
    polling.platform.trouble = (what) => (what === 'tracking/SHP-7' ? { kind: 'broken' } : null)
    for (const id of polling.platform.tracking.keys())
      polling.platform.tracking.set(id, trackingOf(id, 'Gate in', 'Loaded'))
    await polling.run(600_000)
    const added = (await polling.events()).filter(({ type }) => type === 'tracking.event_added')
    expect(new Set(added.map(({ subject }) => subject.id)).size).toBe(19)
    polling.platform.trouble = () => null
    await polling.run(600_000)
    expect((await polling.types()).filter((type) => type === 'tracking.event_added')).toHaveLength(20)
  })

  test('lists polled all the time leave turns for tracking, also with one request at a time', async () => {
    const everyMs = 1_000
    const { shipments: list, tracking, invoices } = WATCH
    const watch = {
      shipments: { ...list, everyMs },
      tracking: { ...tracking, everyMs },
      invoices: { ...invoices, everyMs },
    }
    await using polling = new Polling(
      { watch, budget: { requests: 60, perMs: 60_000, concurrency: 1, share: 1 } },
      NO_CLOCK_IS_SET,
    )
    polling.platform.shipments = shipments(150)
    await polling.run(900_000)
    const asked = Map.groupBy(polling.platform.asked, ({ what }) => what.split(/[?/]/)[0])
    expect(asked.get('tracking')?.length).toBeGreaterThan(150)
  })
})
