import { describe, expect, test } from 'vitest'
import { Polling, NO_CLOCK_IS_SET, shipments, trackingOf } from './polling.ts'

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
})
