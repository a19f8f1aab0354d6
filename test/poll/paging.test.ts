import { describe, expect, test } from 'vitest'
import { Polling, shipment, shipments } from './polling.ts'
import { onlyShipments } from './known-shipments.ts'

const MINUTE = 60_000

async function known(polling: Polling): Promise<number> {
  const [account] = await polling.store.accounts(0)
  return account?.lists.find(({ resource }) => resource === 'shipment')?.records ?? 0
}

describe('reading a list (guarantee D7)', () => {
  test.each([0, 1, 99, 100, 101, 200, 250])('reads all %i shipments', async (count) => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(count)
    await polling.pass()
    expect(await known(polling)).toBe(count)
  })

  test('follows a platform that gives less than it was asked for', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.mostRows = 30
    polling.platform.shipments = shipments(95)
    await polling.pass()
    expect(await known(polling)).toBe(95)
  })

  test('goes on after a short page while a known item was not met', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(95)
    await polling.pass()
    polling.platform.mostRows = 30
    polling.platform.shipments[94] = shipment('SHP-95', { status: 'finished' })
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['shipment.status_changed'])
  })

  test('ends where the platform ignores skip, also when it renders the rows anew', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.ignoresSkip = true
    polling.platform.shipments = shipments(40)
    let renderings = 0
    polling.platform.afterEach = () => {
      renderings += 1
      polling.platform.shipments = shipments(40).map((each) => ({ ...each, link: `signed-${renderings}` }))
    }
    await polling.pass()
    expect(polling.platform.asked.length).toBe(2)
  })

  test('rows that shift between pages while a pass runs are not lost and ring once', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    await polling.pass()
    polling.platform.afterEach = (what) => {
      if (what === 'shipments?skip=0') polling.platform.shipments.unshift(shipment('SHP-NEW'))
    }
    expect(await polling.pass()).toEqual([])
    polling.platform.afterEach = () => undefined
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['shipment.created'])
    expect(await polling.pass()).toEqual([])
  })

  test('finds the field that identifies a shipment', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'booked' }]
    await polling.pass()
    expect((await polling.store.listState('acme', 'shipment')).shipmentIdField).toBe('platform_shipment_id')
  })

  test('leaves out a record that cannot be understood and goes on', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = [shipment('SHP-1'), { name: 'nobody' }, shipment('SHP-2')]
    await polling.pass()
    expect(await known(polling)).toBe(2)
    expect(polling.lines.filter(({ msg }) => msg === 'poll.record_rejected')).toHaveLength(1)
  })
})

/** The requests for shipments that a pass takes. */
async function requestsOf(polling: Polling): Promise<number> {
  polling.platform.asked.length = 0
  await polling.pass()
  return polling.platform.asked.length
}

describe('where a list ends', () => {
  test('a baseline reads on where rows are left out after the cut', async () => {
    await using polling = new Polling(onlyShipments)
    const left = /^SHP-(10[1-3]|30\d|31[0-4])$/
    polling.platform.shipments = shipments(400)
    polling.platform.retouch = (page) => ({ ...page, rows: page.rows.filter(({ id }) => !left.test(id ?? '')) })
    await polling.pass()
    expect(await known(polling)).toBe(382)
    // Rows came twice: the next pass has to find no more before what is new rings.
    expect(await polling.pass()).toEqual([])
    const more = shipments(410).slice(400)
    polling.platform.shipments.push(...more)
    expect(await polling.pass()).toHaveLength(10)
  })

  test('new rows are seen at once by a platform that lowers the size of its pages', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(120)
    await polling.pass()
    polling.platform.mostRows = 50
    polling.platform.shipments = shipments(180)
    expect(await polling.pass()).toHaveLength(60)
    polling.platform.mostRows = 25
    polling.platform.shipments = shipments(240)
    expect(await polling.pass()).toHaveLength(60)
  })

  test('new rows are seen within the hour by one that gives just as many as there were', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(62)
    await polling.pass()
    polling.platform.shipments = shipments(60)
    await polling.pass()
    await polling.pass()
    polling.platform.mostRows = 60
    polling.platform.shipments = shipments(90)
    await polling.clock.advance(60 * MINUTE)
    expect(await polling.pass()).toHaveLength(30)
  })

  test('new rows are seen at once where the size changes from page to page', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(130)
    await polling.pass()
    const sizes = [40, 20, 30]
    polling.platform.afterEach = () => (polling.platform.mostRows = sizes.shift() ?? 100)
    polling.platform.shipments = shipments(190)
    expect(await polling.pass()).toHaveLength(60)
    expect(sizes).toEqual([])
  })

  test('a short last page ends a pass for an hour after a request beyond it found nothing, also across a restart', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(130)
    expect(await requestsOf(polling)).toBe(3)
    expect(await requestsOf(polling)).toBe(2)
    await polling.restart()
    await polling.clock.advance(50 * MINUTE)
    expect(await requestsOf(polling)).toBe(2)
    await polling.clock.advance(10 * MINUTE)
    expect(await requestsOf(polling)).toBe(3)
    expect(await requestsOf(polling)).toBe(2)
  })

  test('what a clock says that was set back does not make that hour longer', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(130)
    await polling.pass()
    await polling.clock.advance(50 * MINUTE)
    expect(await requestsOf(polling)).toBe(2)
    polling.clock.jump(polling.clock.now() - 40 * MINUTE)
    expect(await requestsOf(polling)).toBe(3)
    expect(await requestsOf(polling)).toBe(2)
    polling.clock.jump(polling.clock.now() - 600 * MINUTE)
    expect(await requestsOf(polling)).toBe(3)
  })

  test('is asked for again where the list has grown beyond what was found, and where its last page is full', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(130)
    await polling.pass()
    polling.platform.shipments = shipments(131)
    expect(await requestsOf(polling)).toBe(3)
    expect(await requestsOf(polling)).toBe(2)
    polling.platform.shipments = shipments(200)
    expect([await requestsOf(polling), await requestsOf(polling)]).toEqual([3, 3])
  })

  test('is asked for where a list shrinks while it is read, and what was new on it is seen by the next pass', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    await polling.pass()
    polling.platform.shipments.push(...shipments(260).slice(250))
    polling.platform.afterEach = (what) => {
      if (what === 'shipments?skip=100') polling.platform.shipments.splice(0, 60)
    }
    polling.platform.asked.length = 0
    const first = await polling.pass()
    expect(polling.platform.asked.at(-1)?.what).toBe('shipments?skip=200')
    polling.platform.afterEach = () => undefined
    const second = await polling.pass()
    const created = [...first, ...second].filter(({ type }) => type === 'shipment.created')
    expect(created).toHaveLength(10)
  })
})
