import { describe, expect, test } from 'vitest'
import { randomOf } from '../../src/sandbox/random.ts'
import { onlyShipments } from './known-shipments.ts'
import { poison } from './poison.ts'
import { idOf, Polling, shipment, shipments, trackingOf } from './polling.ts'

const HOUR = 3_600_000

/** Each page shows the list in another order, as a database does that sorts by what many rows have alike. */
function disorder(polling: Polling, seed: number): void {
  const random = randomOf('order', seed)
  polling.platform.onRequest = () => {
    polling.platform.shipments = polling.platform.shipments
      .map((row) => [random.chance(0.5) ? 1 : 0, row] as const)
      .toSorted(([one], [other]) => one - other)
      .map(([, row]) => row)
  }
}

function order(polling: Polling): void {
  polling.platform.onRequest = () => undefined
}

async function known(polling: Polling): Promise<number> {
  return (await polling.store.listState('acme', 'shipment')).records
}

describe('the baseline of a list without total order (guarantee D1)', () => {
  test.each([1, 2, 3, 4])('learns in silence what it left out, for as long as passes find more: %i', async (seed) => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(350)
    disorder(polling, seed)
    await polling.pass()
    expect(await known(polling)).toBeLessThan(350)
    for (let pass = 0; pass < 4; pass += 1) await polling.pass()
    order(polling)
    await polling.pass()
    expect(await known(polling)).toBe(350)
    expect(await polling.types()).toEqual(['account.baseline_completed'])
  })

  test('rings what changes of known records from the first pass on, and what is new once a pass found nothing', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    disorder(polling, 7)
    await polling.pass()
    order(polling)
    const ids = polling.platform.shipments.map((row) => idOf(row))
    const before = await polling.store.known('acme', 'shipment', ids)
    const nth = polling.platform.shipments.findIndex((row) => before.has(idOf(row)))
    const changed = polling.platform.shipments[nth]
    if (changed !== undefined) polling.platform.shipments[nth] = { ...changed, status: 'in_progress' }
    await polling.restart()
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['shipment.status_changed'])
    expect(await known(polling)).toBe(250)
    await polling.restart()
    expect(await polling.pass()).toEqual([])
    polling.platform.shipments.push(shipment('SHP-NEW'))
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['shipment.created'])
  })

  test('is silent for five more passes at most', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(150)
    disorder(polling, 3)
    await polling.pass()
    order(polling)
    for (let pass = 1; pass <= 5; pass += 1) {
      polling.platform.shipments.push(shipment(`SHP-NEW-${pass}`))
      expect(await polling.pass()).toEqual([])
    }
    polling.platform.shipments.push(shipment('SHP-NEW-6'))
    expect((await polling.pass()).map(({ subject }) => subject.id)).toEqual(['SHP-NEW-6'])
  })

  test('is silent for a day at most', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(150)
    disorder(polling, 3)
    await polling.pass()
    order(polling)
    polling.platform.shipments.push(shipment('SHP-NEW'))
    await polling.clock.advance(25 * HOUR)
    expect((await polling.pass()).map(({ subject }) => subject.id)).toContain('SHP-NEW')
  })

  test('rings at once where no row came twice, and where first_poll is emit', async () => {
    await using ordered = new Polling(onlyShipments)
    ordered.platform.shipments = shipments(150)
    await ordered.pass()
    ordered.platform.shipments.push(shipment('SHP-NEW'))
    expect((await ordered.pass()).map(({ type }) => type)).toEqual(['shipment.created'])
    await using emitting = new Polling({ ...onlyShipments, firstPoll: 'emit' })
    emitting.platform.shipments = shipments(150)
    disorder(emitting, 3)
    await emitting.pass()
    order(emitting)
    await emitting.pass()
    expect((await emitting.types()).filter((type) => type === 'shipment.created')).toHaveLength(150)
  })

  test('counts what a spare page shows, and the tracking of what it left out, as known at the baseline', async () => {
    await using polling = new Polling()
    polling.platform.shipments = shipments(150)
    for (const row of polling.platform.shipments)
      polling.platform.tracking.set(idOf(row), trackingOf(idOf(row), 'Gate in'))
    disorder(polling, 3)
    await polling.pass()
    order(polling)
    const list = polling.listPoller('shipments')
    const why = { kind: 'announced' } as const
    const before = await known(polling)
    expect(await list.readSparePage({ skip: 0, why, signal: new AbortController().signal })).toMatchObject({
      events: 0,
    })
    expect(await known(polling)).toBeGreaterThanOrEqual(before)
    await polling.clock.advance(HOUR)
    expect(await polling.pass()).toEqual([])
    polling.platform.tracking.set('SHP-9', trackingOf('SHP-9', 'Gate in', 'Loaded'))
    await polling.clock.advance(HOUR)
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['tracking.event_added'])
  })

  test('goes on beside rows that cannot be read', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    disorder(polling, 5)
    poison(polling, [42])
    await polling.pass()
    order(polling)
    await polling.pass()
    polling.platform.trouble = () => null
    await polling.clock.advance(7 * HOUR)
    for (let pass = 0; pass < 2; pass += 1) await polling.pass()
    expect(await known(polling)).toBe(250)
    expect((await polling.types()).filter((type) => type.startsWith('shipment'))).toEqual([])
  })
})
