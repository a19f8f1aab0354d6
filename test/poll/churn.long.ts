import { describe, expect, test } from 'vitest'
import { NO_CLOCK_IS_SET, Polling, shipment, trackingOf, WATCH } from './polling.ts'

function warnings(polling: Polling): readonly Record<string, unknown>[] {
  return polling.lines.filter(({ msg }) => msg === 'poll.churning_path')
}

describe('a path that changes on most reads', () => {
  test('is reported once, with the line to put under ignore, and keeps ringing', async () => {
    const shipments = { ...WATCH.shipments, ignore: ['/a$b'] }
    await using polling = new Polling({ watch: { shipments } })
    let read = 0
    polling.platform.afterEach = () => {
      read += 1
      polling.platform.shipments = Array.from({ length: 10 }, (_, index) =>
        shipment(`SHP-${index}`, { a$b: read, tags: [{ read_at: read }] }),
      )
    }
    polling.platform.afterEach('')
    await polling.run(10 * 60_000 + 1)
    const rung = (await polling.types()).filter((type) => type === 'shipment.updated').length
    expect(rung % 10).toBe(0)
    expect(rung).toBeGreaterThanOrEqual(100)
    expect(warnings(polling)).toMatchObject([
      {
        account: 'acme',
        resource: 'shipments',
        path: '/tags/*/read_at',
        under: 'accounts.acme.watch.shipments',
        add: 'ignore: ["/a$$b", "/tags/*/read_at"]',
      },
    ])
    await polling.restart()
    await polling.run(10 * 60_000 + 1)
    expect(warnings(polling)).toHaveLength(1)
  })

  test('is not taken for one where it was read because it had changed', async () => {
    const seldom = { everyMs: 24 * 3_600_000 }
    const watch = { shipments: { ...WATCH.shipments, everyMs: 600_000 }, tracking: { ...WATCH.tracking, ...seldom } }
    await using polling = new Polling(
      { watch, budget: { requests: 7, perMs: 3_600_000, concurrency: 1, share: 1 } },
      NO_CLOCK_IS_SET,
    )
    for (let change = 1; change <= 30; change += 1) {
      polling.platform.shipments = [shipment('SHP-1', { status: 'in_progress', invoice_status: String(change) })]
      polling.platform.tracking.set('SHP-1', { ...trackingOf('SHP-1', 'Gate in'), last_call: change })
      await polling.run(3_600_000)
    }
    const reads = polling.platform.asked.filter(({ what }) => what === 'tracking/SHP-1').length
    const changes = (await polling.types()).filter((type) => type === 'tracking.updated').length
    expect(changes).toBeGreaterThan(20)
    expect(changes).toBeGreaterThan(0.8 * reads)
    expect(warnings(polling).filter(({ resource }) => resource === 'tracking')).toEqual([])
  })

  test('is found in what is read item by item', async () => {
    await using polling = new Polling()
    polling.platform.shipments = [shipment('SHP-1'), shipment('SHP-2')]
    let read = 0
    polling.platform.afterEach = () => {
      read += 1
      for (const id of ['SHP-1', 'SHP-2'])
        polling.platform.tracking.set(id, { ...trackingOf(id, 'Gate in'), asked_at: read })
    }
    await polling.run(1_200_000)
    await polling.restart()
    await polling.run(1_200_000)
    expect(warnings(polling).map(({ resource, path }) => [resource, path])).toEqual([['tracking', '/asked_at']])
  })
})
