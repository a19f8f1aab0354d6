import { describe, expect, test } from 'vitest'
import { Polling, shipment, shipments, trackingOf, WATCH } from './polling.ts'
import { onlyShipments } from './known-shipments.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const withTracking = { watch: { shipments: WATCH.shipments, tracking: WATCH.tracking } }

function refusals(polling: Polling): readonly unknown[] {
  return polling.lines.filter(({ msg }) => msg === 'poll.validator_refused')
}

/** Passes every two minutes for as long; how many of them it took until something rang. */
async function passesUntilRung(polling: Polling, forMs: number): Promise<number | null> {
  for (let passes = 1; passes * 2 * MINUTE <= forMs; passes += 1) {
    await polling.clock.advance(2 * MINUTE - 1_000)
    if ((await polling.pass()).length > 0) return passes
  }
  return null
}

describe('an ETag', () => {
  test('that lies hides a change for an hour at most, and nothing from then on, also across a restart', async () => {
    await using polling = new Polling(onlyShipments)
    const { platform } = polling
    platform.shipments = shipments(3)
    platform.etagOf = () => '"always"'
    await polling.pass()
    await polling.pass()
    platform.shipments[1] = shipment('SHP-2', { name: 'B' })
    expect(await passesUntilRung(polling, HOUR + 2 * MINUTE)).not.toBeNull()
    expect(refusals(polling)).toMatchObject([{ level: 40, account: 'acme', resource: 'shipments', of: 'page at 0' }])
    platform.shipments[1] = shipment('SHP-2', { name: 'C' })
    expect(await polling.pass()).toHaveLength(1)
    await polling.restart()
    platform.shipments[1] = shipment('SHP-2', { name: 'D' })
    expect(await polling.pass()).toHaveLength(1)
    platform.shipments[2] = shipment('SHP-3', { name: 'D' })
    expect(await polling.pass()).toHaveLength(1)
    expect(refusals(polling)).toHaveLength(1)
  })

  test('is caught at once where different bytes come with it, weak or not', async () => {
    await using polling = new Polling(onlyShipments)
    const { platform } = polling
    platform.shipments = shipments(3)
    await polling.pass()
    platform.etagOf = () => 'W/"same"'
    platform.shipments[0] = shipment('SHP-1', { name: 'B' })
    await polling.pass()
    platform.shipments[0] = shipment('SHP-1', { name: 'C' })
    expect(await passesUntilRung(polling, HOUR + 2 * MINUTE)).not.toBeNull()
    expect(refusals(polling)).toHaveLength(1)
  })

  test('that tells the truth is asked with, but once an hour for each page', { tags: 'long' }, async () => {
    await using polling = new Polling(onlyShipments)
    const { platform } = polling
    platform.mostRows = 10
    platform.shipments = shipments(25)
    platform.etagOf = (what) => `"${what}"`
    await polling.pass()
    const asked: (string | null)[] = []
    const list = platform.list.bind(platform)
    platform.list = async (resource, request) => {
      if (request.skip === 10) asked.push(request.known?.etag ?? null)
      return list(resource, request)
    }
    for (let minute = 0; minute < 240; minute += 2) {
      await polling.clock.advance(2 * MINUTE - 1_000)
      await polling.pass()
    }
    expect(asked).toHaveLength(120)
    expect(asked.filter((etag) => etag === null)).toHaveLength(4)
    const gaps = asked.flatMap((etag, nth) => (etag === null ? [nth] : []))
    expect(gaps.map((nth, index) => nth - (gaps[index - 1] ?? nth - 30))).toEqual([30, 30, 30, 30])
    expect(refusals(polling)).toEqual([])
  })

  test('is asked with by reads of one page that overlap, and neither asks again', async () => {
    await using polling = new Polling(onlyShipments)
    const { platform } = polling
    platform.shipments = shipments(3)
    platform.etagOf = () => '"of these"'
    await polling.pass()
    await polling.pass()
    platform.latencyMs = 500
    platform.asked.length = 0
    const [list, signal] = [polling.listPoller('shipments'), new AbortController().signal]
    const why = { kind: 'announced' } as const
    const reads = Promise.all([1, 2, 3].map(async () => list.readSparePage({ skip: 0, why, signal })))
    await polling.clock.advance(5_000)
    expect((await reads).map(({ reason }) => reason)).toEqual([null, null, null])
    expect(platform.asked).toHaveLength(3)
    expect(platform.unchanged.slice(-3)).toHaveLength(3)
  })

  test('that lies while another read moves a record off the page is caught', async () => {
    await using polling = new Polling(onlyShipments)
    const { platform } = polling
    platform.mostRows = 3
    platform.shipments = shipments(6)
    platform.etagOf = (what) => (what.endsWith('skip=0') ? '"always"' : null)
    await polling.pass()
    await polling.pass()
    platform.latencyMs = 500
    const [first, second] = platform.shipments.splice(0, 2)
    platform.shipments.splice(2, 0, ...[second, first].filter((row) => row !== undefined))
    const [list, signal] = [polling.listPoller('shipments'), new AbortController().signal]
    const why = { kind: 'announced' } as const
    const other = list.readSparePage({ skip: 3, why, signal })
    await polling.clock.advance(100)
    const lied = list.readSparePage({ skip: 0, why, signal })
    await polling.clock.advance(10_000)
    await Promise.all([other, lied])
    expect(refusals(polling)).toMatchObject([{ of: 'page at 0' }])
  })

  test('of an item is believed for an hour, too', async () => {
    await using polling = new Polling(withTracking)
    const { platform } = polling
    platform.shipments = shipments(1)
    platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded'))
    platform.etagOf = (what) => (what.startsWith('tracking/') ? '"always"' : null)
    await polling.pass()
    platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded', 'Sailed'))
    expect(await passesUntilRung(polling, HOUR + 2 * MINUTE)).not.toBeNull()
    expect(refusals(polling)).toMatchObject([{ resource: 'tracking', of: 'SHP-1' }])
    platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded', 'Sailed', 'Landed'))
    expect(await polling.pass()).toHaveLength(1)
    await polling.restart()
    platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded', 'Sailed', 'Landed', 'Delivered'))
    expect(await polling.pass()).toHaveLength(1)
    expect(refusals(polling)).toHaveLength(1)
  })
})
