import { expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { onlyShipments } from './known-shipments.ts'
import { Polling, shipment, shipments } from './polling.ts'

function emitted(events: readonly ShipbellEvent[]): readonly string[] {
  return events.map(({ type, subject }) => `${type} ${subject.id}`)
}

/** Each page is said to weigh megabytes. */
async function heavy(amount: number): Promise<Polling> {
  const polling = new Polling(onlyShipments)
  polling.platform.bytes = 3_000_000
  polling.platform.shipments = shipments(amount)
  await polling.pass()
  return polling
}

test('a page that is too large to be taken at once is taken in slices: nothing is missed, removed or invented', async () => {
  await using polling = await heavy(130)
  expect(await polling.types()).toEqual(['account.baseline_completed'])
  polling.platform.shipments = shipments(130).map((each) => ({ ...each, status: 'in_progress' }))
  expect(await polling.pass()).toHaveLength(130)
  expect(await polling.pass()).toEqual([])
  polling.platform.shipments.splice(40, 1)
  polling.platform.shipments.splice(0, 0, shipment('SHP-NEW'))
  expect(emitted(await polling.pass())).toEqual(['shipment.created SHP-NEW'])
  expect(emitted(await polling.pass())).toEqual(['shipment.removed SHP-41'])
  await polling.restart()
  for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
})

test('a large page of which little has changed is known again', async () => {
  await using polling = await heavy(80)
  for (let pass = 0; pass < 2; pass += 1) await polling.pass()
  const before = polling.platform.unchanged.length
  expect(await polling.pass()).toEqual([])
  expect(polling.platform.unchanged.length).toBeGreaterThan(before)
  polling.platform.shipments[70] = shipment('SHP-71', { status: 'in_progress' })
  expect(emitted(await polling.pass())).toEqual(['shipment.status_changed SHP-71'])
  expect(await polling.pass()).toEqual([])
})

test('a large page is judged as one: a field that is new to the interface, and ids that it shows twice', async () => {
  await using polling = await heavy(60)
  polling.platform.shipments = shipments(60).map((each) => ({ ...each, carbon_kg: 12 }))
  expect((await polling.pass()).map(({ type }) => type)).toEqual(['account.schema_drift'])
  const shown = polling.platform.shipments
  polling.platform.shipments = [...shown, ...shown.slice(10, 30).map((each) => ({ ...each, name: 'another' }))]
  expect((await polling.pass()).map(({ type }) => type)).toEqual(['account.record_rejected'])
  expect(await polling.pass()).toEqual([])
})

test('a list that shows thousands of rows at once tells records that it shows twice', async () => {
  await using polling = new Polling(onlyShipments)
  polling.platform.ignoresTake = true
  polling.platform.shipments = shipments(2_500)
  await polling.pass()
  polling.platform.shipments = [...shipments(2_500), ...shipments(20).map((each) => ({ ...each, name: 'another' }))]
  expect((await polling.pass()).map(({ type }) => type)).toEqual(['account.record_rejected'])
  expect(await polling.pass()).toEqual([])
})
