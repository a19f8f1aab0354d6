import { describe, expect, test } from 'vitest'
import { FakeClock } from '../support/fake-clock.ts'
import { NO_CLOCK_IS_SET, Polling, shipment, shipments, WATCH } from './polling.ts'
import { askedFor, BUDGET, Daemon, MINUTE_MS, typesSince, withTracking } from './reading-beyond.ts'

describe('what is read beyond what is due', () => {
  test('invents no changes where two records of a list carry one id', async () => {
    await using polling = new Polling(
      { budget: BUDGET, watch: { shipments: { ...WATCH.shipments, everyMs: 10 * MINUTE_MS } } },
      NO_CLOCK_IS_SET,
    )
    polling.platform.mostRows = 10
    polling.platform.shipments = shipments(20)
    await using daemon = new Daemon(polling)
    await daemon.advance(61)
    const [asked, rung] = [polling.platform.asked.length, (await polling.types()).length]
    polling.platform.shipments[15] = shipment('SHP-1', { name: 'another' })
    polling.platform.shipments.push(shipment('SHP-16'))
    await daemon.advance(60)
    expect(polling.platform.asked.length - asked).toBeGreaterThan(60)
    expect((await typesSince(polling, rung)).length).toBeLessThan(8)
  })

  test('goes on where the clock is set back by hours', async () => {
    await using polling = withTracking({})
    const { clock } = polling
    await using daemon = new Daemon(polling)
    await daemon.advance(31)
    clock.now = () => FakeClock.prototype.now.call(clock) - 600 * MINUTE_MS
    await daemon.advance(2)
    const asked = polling.platform.asked.length
    await daemon.advance(30)
    expect(askedFor(polling, 'shipments?skip=0', asked)).toBeGreaterThan(12)
    expect(polling.platform.asked.length - asked).toBeLessThan(400)
  })

  test('leaves the tracking of a shipment alone that is removed, and takes it up again when it is restored', async () => {
    await using polling = withTracking()
    await using daemon = new Daemon(polling)
    await daemon.advance(61)
    const gone = polling.platform.shipments.splice(1, 1)
    await daemon.advance(11)
    expect((await polling.types()).at(-1)).toBe('shipment.removed')
    const asked = polling.platform.asked.length
    await daemon.advance(60)
    expect(askedFor(polling, 'tracking/SHP-2', asked)).toBe(0)
    expect(askedFor(polling, 'tracking/SHP-3', asked)).toBeGreaterThan(10)
    polling.platform.shipments.push(...gone)
    await daemon.advance(61)
    expect(askedFor(polling, 'tracking/SHP-2', asked)).toBeGreaterThan(10)
  })
})
