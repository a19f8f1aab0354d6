import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { Polling, shipments, WATCH } from './polling.ts'
import { baselined, onlyShipments } from './known-shipments.ts'

/** The first `count` of `of` shipments with more fields. */
function grown(of: number, count: number, fields: (index: number) => JsonObject): JsonObject[] {
  return shipments(of).map((each, index) => (index < count ? { ...each, ...fields(index) } : each))
}

function cargo(more: JsonObject): JsonObject {
  return { cargo: { containers: [{ container_number: 'C1', ...more }] } }
}

function emitted(events: readonly ShipbellEvent[]): readonly unknown[] {
  return events.map(({ type, extras, subject }) => [type, extras.path ?? subject.id])
}

describe('a field outside the interface (guarantee D8)', () => {
  test('on ten records and half of a page is reported once and its first values are silent', async () => {
    await using polling = await baselined(20)
    polling.platform.shipments = grown(20, 10, () => ({ carbon: { kg: 7 } }))
    const [event, ...others] = await polling.pass()
    expect(event).toMatchObject({ type: 'account.schema_drift', extras: { resource: 'shipments', path: '/carbon' } })
    expect(others).toEqual([])
    polling.platform.shipments = grown(20, 20, () => ({ carbon: { kg: 7 } }))
    expect(await polling.pass()).toEqual([])
  })

  test('rings on later changes, also when it comes back after it was gone', async () => {
    await using polling = await baselined(10)
    polling.platform.shipments = grown(10, 10, () => ({ carbon: 7 }))
    await polling.pass()
    await polling.restart()
    polling.platform.shipments = grown(10, 9, () => ({ carbon: 7 }))
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'SHP-10']])
    polling.platform.shipments = grown(10, 10, () => ({ carbon: 7 }))
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'SHP-10']])
    polling.platform.shipments = grown(10, 10, (index) => ({ carbon: index === 0 ? 8 : 7 }))
    const [changed, ...others] = await polling.pass()
    expect(changed).toMatchObject({ subject: { id: 'SHP-1' }, changes: [{ path: '/carbon', from: 7, to: 8 }] })
    expect(others).toEqual([])
  })

  test('on fewer records rings as a change of each', async () => {
    await using few = await baselined(9)
    few.platform.shipments = grown(9, 9, () => ({ carbon: 7 }))
    expect((await few.pass()).map(({ type }) => type)).toEqual(Array(9).fill('shipment.updated'))
    await using less = await baselined(21)
    less.platform.shipments = grown(21, 10, () => ({ carbon: 7 }))
    expect((await less.pass()).map(({ type }) => type)).toEqual(Array(10).fill('shipment.updated'))
  })

  test('deep inside an array is named with * and rings nothing beside what else changed', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = grown(12, 12, () => cargo({}))
    await polling.pass()
    polling.platform.shipments = grown(12, 12, (index) => ({
      ...cargo({ owner: 'MSC' }),
      ...(index === 4 && { status: 'finished' }),
    }))
    expect(emitted(await polling.pass())).toEqual([
      ['account.schema_drift', '/cargo/containers/*/owner'],
      ['shipment.status_changed', 'SHP-5'],
    ])
  })

  test('is absorbed once for all pages, and not where it is ignored, empty, or names the shipment', async () => {
    await using polling = new Polling({ watch: { shipments: { ...WATCH.shipments, ignore: ['/read_at'] } } })
    polling.platform.shipments = shipments(150)
    await polling.pass()
    const fields = { carbon: 7, read_at: 1, empty: [{ a: null }], acme_shipment_id: 1 }
    polling.platform.shipments = grown(150, 150, () => ({ ...fields, acme_shipment_id: null }))
    expect(emitted(await polling.pass())).toEqual([['account.schema_drift', '/carbon']])
    expect((await polling.store.listState('acme', 'shipment')).absorbed).toEqual(['/carbon'])
  })

  test('with a value never seen before is carried through, and so is a new value of a field that is known', async () => {
    await using polling = await baselined(2)
    polling.platform.shipments = grown(2, 1, () => ({ status: 'teleported', carbon: { kg: '7' } }))
    expect(await polling.pass()).toMatchObject([
      { type: 'shipment.status_changed', extras: { from: 'booked', to: 'teleported' } },
      { type: 'shipment.updated', object: { status: 'teleported', carbon: { kg: '7' } } },
    ])
  })
})
