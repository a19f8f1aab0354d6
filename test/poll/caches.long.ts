import { describe, expect, test } from 'vitest'
import { NO_CLOCK_IS_SET, Polling, shipments, trackingOf, WATCH } from './polling.ts'

const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('copies from a cache', () => {
  test('are not asked for again in a hurry, neither pages nor items', async () => {
    const every = 5 * MINUTE
    const watch = {
      shipments: { ...WATCH.shipments, everyMs: every },
      tracking: { ...WATCH.tracking, everyMs: every },
    }
    await using polling = new Polling({ watch }, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(3)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded'))
    await polling.pass()
    const requests = async (ageMs: number): Promise<number> => {
      polling.platform.ageMs = () => ageMs
      polling.platform.asked.length = 0
      await polling.run(2 * HOUR)
      return polling.platform.asked.length
    }
    const usual = await requests(0)
    for (const ageMs of [30 * SECOND, 20 * MINUTE, 3 * HOUR]) {
      expect(await requests(ageMs)).toBeLessThan(1.3 * usual)
    }
  })
})
