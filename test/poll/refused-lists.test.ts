import { describe, expect, test } from 'vitest'
import { NO_CLOCK_IS_SET, Polling, shipment, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'
import { ALL, asked, forbid, health, HOUR, MINUTE, read, SOON } from './refusing.ts'

describe('one list that the key may not read (403) while others answer', () => {
  test('rings as much later, and loses no change of another list', async () => {
    await using polling = await read()
    forbid(polling, 'purchase_orders')
    await polling.run(SOON)
    polling.platform.shipments[0] = shipment('SHP-1', { status: 'in_progress' })
    await polling.run(2 * MINUTE)
    expect(await health(polling)).toEqual(['account.unauthorized purchase_orders'])
    expect(await polling.types()).toContain('shipment.status_changed')
  })

  test('is judged by an answer of another list that is asked for it, though that is idle for hours', async () => {
    const idle = { everyMs: 12 * HOUR, ignore: [] }
    await using polling = new Polling(
      {
        watch: { documents: WATCH_MORE.documents, locations: idle },
        budget: { requests: 2, perMs: MINUTE, concurrency: 1, share: 1 },
      },
      NO_CLOCK_IS_SET,
    )
    await polling.run(HOUR)
    polling.platform.asked.length = 0
    forbid(polling, 'documents')
    await polling.run(5 * MINUTE)
    expect(await health(polling)).toEqual(['account.unauthorized documents'])
  })

  test('is forgotten once it is watched no more', async () => {
    await using polling = await read()
    forbid(polling, 'invoices')
    await polling.run(10 * MINUTE)
    const { invoices: _, ...others } = ALL
    await polling.restart({ watch: others })
    await polling.run(10 * MINUTE)
    const [account] = await polling.store.accounts(polling.clock.now())
    expect(account?.record?.memory.refused).toEqual({})
    expect(await health(polling)).toEqual(['account.unauthorized invoices'])
  })

  test('a page far behind the only list that is watched is no trouble of the account', async () => {
    await using polling = new Polling({ watch: { shipments: WATCH.shipments } }, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(350)
    forbid(polling, 'shipments?skip=300')
    await polling.run(HOUR)
    expect(await health(polling)).toEqual(['account.unauthorized shipments'])
  })
})

describe('a key that may read nothing (403)', () => {
  test.each(['from the start', 'later'])('is refused as a whole, once: %s', async (when) => {
    await using polling = when === 'later' ? await read() : new Polling({ watch: ALL }, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(5)
    polling.platform.asked.length = 0
    polling.platform.trouble = () => ({ kind: 'forbidden' })
    await polling.run(HOUR)
    expect(await health(polling)).toEqual(['account.unauthorized -'])
    expect(polling.platform.asked.length).toBeLessThan(40)
    expect(polling.poller.lastAnswerAt).toBeNull()
    polling.platform.trouble = () => null
    await polling.run(SOON)
    expect(await health(polling)).toEqual(['account.unauthorized -', 'account.recovered -'])
  })

  test('and then all but one list, is refused that list', async () => {
    await using polling = await read()
    polling.platform.trouble = () => ({ kind: 'forbidden' })
    await polling.run(HOUR)
    forbid(polling, 'locations')
    await polling.run(SOON)
    expect(await health(polling)).toEqual([
      'account.unauthorized -',
      'account.recovered -',
      'account.unauthorized locations',
    ])
  })

  test('of an account with one list is refused as a whole', async () => {
    await using polling = new Polling({ watch: { shipments: WATCH.shipments } }, NO_CLOCK_IS_SET)
    forbid(polling, 'shipments')
    await polling.run(HOUR)
    expect(await health(polling)).toEqual(['account.unauthorized -'])
    expect(asked(polling, 'shipments')).toBeLessThan(12)
  })

  test('an invoice that waits to be verified does not make it seem to answer', async () => {
    await using polling = new Polling({ watch: { invoices: { ...WATCH.invoices, dueSoonMs: [] } } }, NO_CLOCK_IS_SET)
    const row = { reference: 'INV-1', type: 'invoice', status: 'available', due_date: '2026-11-22', lines: [] }
    polling.platform.invoices = [row]
    await polling.pass()
    await polling.restart()
    polling.platform.trouble = () => ({ kind: 'forbidden' })
    await polling.run(48 * HOUR)
    expect(await health(polling)).toEqual(['account.unauthorized -'])
  })
})

describe('what is read item by item', () => {
  test('one item that is refused, and is all there is, keeps no later one from being read', async () => {
    await using polling = new Polling(
      { watch: { shipments: WATCH.shipments, tracking: WATCH.tracking } },
      NO_CLOCK_IS_SET,
    )
    polling.platform.shipments = shipments(1)
    forbid(polling, 'tracking/SHP-1')
    await polling.run(90 * MINUTE)
    polling.platform.shipments = shipments(2)
    polling.platform.tracking.set('SHP-2', trackingOf('SHP-2', 'Loaded'))
    await polling.run(SOON)
    expect(await polling.types()).toContain('tracking.event_added')
    expect((await health(polling)).at(-1)).toBe('account.recovered tracking')
  })
})

describe('a fetch that proves something', () => {
  test('is refused (403): the record is not removed, and nothing rings', async () => {
    await using polling = await read({ watch: { shipments: WATCH.shipments } })
    polling.platform.shipments.push(shipment('SHP-6'))
    await polling.pass()
    polling.platform.shipments.pop()
    polling.platform.hides = (what) => what === 'shipment/SHP-5'
    polling.platform.shipments.splice(4, 1)
    for (let pass = 0; pass < 3; pass += 1) await polling.pass()
    polling.platform.shipments.splice(3, 1)
    forbid(polling, 'shipment/')
    for (let pass = 0; pass < 4; pass += 1) await polling.pass()
    const removed = (await polling.events()).filter(({ type }) => type === 'shipment.removed')
    expect(removed.map(({ subject }) => subject.id)).not.toContain('SHP-4')
    expect(await health(polling)).toEqual([])
  })
})
