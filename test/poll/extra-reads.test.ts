import { describe, expect, test, vi } from 'vitest'
import { NO_CLOCK_IS_SET, Polling, shipment, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'
import { askedFor, BUDGET, Daemon, MINUTE_MS, typesSince, withTracking } from './reading-beyond.ts'

const REFERENCES = ['OP-1', 'OP-2', 'OP-3']

/** Three order preparations that are read far sooner than they have to be. */
function withPreparations(): Polling {
  const watched = { ...WATCH_MORE.order_preparations, everyMs: 30 * MINUTE_MS, references: REFERENCES }
  const polling = new Polling({ budget: BUDGET, watch: { order_preparations: watched } }, NO_CLOCK_IS_SET)
  for (const name of REFERENCES) polling.platform.orderPreparations.set(name, { name })
  return polling
}

describe('what is read beyond what is due', () => {
  test('keeps no order preparation from being removed, and hastens no removal', async () => {
    await using polling = withPreparations()
    await using daemon = new Daemon(polling)
    await daemon.advance(61)
    polling.platform.orderPreparations.delete('OP-2')
    const [asked, rung] = [polling.platform.asked.length, (await polling.types()).length]
    await daemon.advance(30)
    expect(polling.platform.asked.slice(asked).filter(({ what }) => what.endsWith('OP-2')).length).toBeGreaterThan(2)
    expect(await typesSince(polling, rung)).toEqual([])
    await daemon.advance(90)
    expect(await typesSince(polling, rung)).toEqual(['order_preparation.removed'])
    polling.platform.orderPreparations.set('OP-2', { name: 'OP-2' })
    await daemon.advance(31)
    expect(await typesSince(polling, rung)).toEqual(['order_preparation.removed', 'order_preparation.restored'])
  })

  test('is followed where it changes back on its page', async () => {
    await using polling = new Polling(
      { budget: BUDGET, watch: { shipments: { ...WATCH.shipments, everyMs: 60 * MINUTE_MS } } },
      NO_CLOCK_IS_SET,
    )
    polling.platform.shipments = shipments(20)
    await using daemon = new Daemon(polling)
    await daemon.advance(61)
    const rung = (await polling.types()).length
    for (const name of ['other', 'Shipment SHP-3', 'other']) {
      polling.platform.shipments[2] = shipment('SHP-3', { name })
      await daemon.advance(5)
    }
    expect(await typesSince(polling, rung)).toHaveLength(3)
  })

  test('is tried again where a read failed of what a row announced', async () => {
    await using polling = withTracking()
    await using daemon = new Daemon(polling)
    await daemon.advance(61)
    let failures = 0
    polling.platform.trouble = (what) => {
      if (what !== 'tracking/SHP-2' || failures >= 2) return null
      failures += 1
      return { kind: 'rejected' }
    }
    const since = polling.clock.now()
    polling.platform.shipments[1] = { ...shipment('SHP-2', { name: 'other' }), status: 'in_progress' }
    polling.platform.tracking.set('SHP-2', trackingOf('SHP-2', 'x', 'y'))
    await daemon.advance(10)
    const event = (await polling.events()).find(({ type }) => type === 'tracking.event_added')
    const story = await polling.store.story(event?.id ?? '')
    expect([failures, story?.provenance?.why]).toEqual([2, { kind: 'announced' }])
    expect((event?.observed?.notAfter ?? Infinity) - since).toBeLessThan(5 * MINUTE_MS)
  })

  test('goes on where the store failed', async () => {
    await using polling = withTracking()
    await using daemon = new Daemon(polling)
    await daemon.advance(61)
    const failing = vi.spyOn(polling.store, 'commit').mockRejectedValue(new Error('disk I/O error'))
    await daemon.advance(5)
    expect(polling.lines.filter(({ msg }) => msg === 'poll.failed').length).toBeGreaterThan(1)
    failing.mockRestore()
    const asked = polling.platform.asked.length
    polling.platform.tracking.set('SHP-2', trackingOf('SHP-2', 'x', 'y'))
    await daemon.advance(10)
    expect((await polling.types()).filter((type) => type === 'tracking.event_added')).toHaveLength(1)
    for (const what of ['shipments?skip=0', 'tracking/SHP-3']) expect(askedFor(polling, what, asked)).toBeGreaterThan(1)
  })

  test('goes on after a restart with order preparations too', async () => {
    await using polling = withPreparations()
    {
      await using daemon = new Daemon(polling)
      await daemon.advance(61)
    }
    await polling.restart()
    await using daemon = new Daemon(polling)
    await daemon.advance(31)
    const asked = polling.platform.asked.length
    await daemon.advance(30)
    expect(askedFor(polling, 'order_preparation/OP-1', asked)).toBeGreaterThan(3)
  })

  test('begins with the baseline', async () => {
    await using polling = withTracking()
    await using daemon = new Daemon(polling)
    await daemon.advance(4)
    expect(askedFor(polling, 'shipments?skip=0', 0)).toBeGreaterThan(3)
  })
})
