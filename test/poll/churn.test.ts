import { describe, expect, test } from 'vitest'
import { Polling, shipment, trackingOf, WATCH } from './polling.ts'

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
