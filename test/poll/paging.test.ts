import { describe, expect, test } from 'vitest'
import { Polling, shipment, shipments, WATCH } from './polling.ts'

const onlyShipments = { watch: { shipments: WATCH.shipments } }

async function known(polling: Polling): Promise<number> {
  const [account] = await polling.store.accounts(0)
  return account?.lists.find(({ resource }) => resource === 'shipment')?.records ?? 0
}

describe('reading a list (contract section 3.7)', () => {
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
