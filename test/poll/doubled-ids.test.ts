import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { Polling, shipment, shipments, WATCH } from './polling.ts'

const ONE = shipment('SHP-T', { name: 'one', status: 'booked' })
const TWO = shipment('SHP-T', { name: 'two', status: 'in_progress' })
const onlyShipments = { watch: { shipments: WATCH.shipments } }

function emitted(events: readonly ShipbellEvent[]): readonly unknown[] {
  return events.map(({ type, object, extras }) => [type, object?.name ?? extras.id ?? null])
}

async function baselined(rows: readonly JsonObject[], firstPoll: 'baseline' | 'emit' = 'baseline'): Promise<Polling> {
  const polling = new Polling({ ...onlyShipments, firstPoll })
  polling.platform.shipments = [...rows, ...shipments(3)]
  await polling.pass()
  return polling
}

async function followed(polling: Polling): Promise<JsonObject> {
  const states = await polling.store.records('acme', 'shipment', ['SHP-T'])
  return states.get('SHP-T')?.seen ?? {}
}

async function passWith(polling: Polling, ...rows: JsonObject[]): Promise<readonly unknown[]> {
  polling.platform.shipments = [...rows, ...shipments(3)]
  return emitted(await polling.pass())
}

describe('two rows of one id on one page', () => {
  test('ring once that they are two, in the baseline already, and never for their order', async () => {
    await using polling = await baselined([ONE, TWO])
    expect(emitted(await polling.events())).toEqual([
      ['account.record_rejected', 'SHP-T'],
      ['account.baseline_completed', null],
    ])
    expect((await polling.events())[0]?.extras.reason).toContain('Two different records')
    const was = await followed(polling)
    expect(await passWith(polling, TWO, ONE)).toEqual([])
    await polling.restart()
    expect(await passWith(polling, ONE, TWO)).toEqual([])
    expect(await passWith(polling, TWO, ONE)).toEqual([])
    expect(await followed(polling)).toEqual(was)
  })

  test('the one that is followed is the known one, and only its changes ring', async () => {
    await using polling = await baselined([ONE])
    expect(await passWith(polling, ONE, TWO)).toEqual([['account.record_rejected', 'SHP-T']])
    expect(await passWith(polling, { ...TWO, name: 'two again' }, ONE)).toEqual([])
    expect(await passWith(polling, { ...ONE, name: 'one again' }, { ...TWO, name: 'two again' })).toEqual([
      ['shipment.updated', 'one again'],
    ])
    expect(await passWith(polling, { ...TWO, name: 'two at last' }, { ...ONE, name: 'one at last' })).toEqual([
      ['shipment.updated', 'one at last'],
    ])
    expect(await passWith(polling, { ...TWO, name: 'two at last' }, { ...ONE, name: 'one at last' })).toEqual([])
  })

  test('one page may show both and another page one of them', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = [ONE, TWO, ...shipments(99), TWO]
    await polling.pass()
    const was = await followed(polling)
    for (const last of [ONE, TWO, ONE]) {
      polling.platform.shipments = [TWO, ONE, ...shipments(99), last]
      expect(emitted(await polling.pass())).toEqual([])
    }
    expect(await followed(polling)).toEqual(was)
  })

  test('one that stays alone is followed, and what is left of two is no longer said to be', async () => {
    await using polling = await baselined([ONE, TWO])
    const was = await followed(polling)
    const other = was.name === 'one' ? TWO : ONE
    expect(await passWith(polling, other)).toContainEqual(['shipment.updated', other.name])
    expect(await passWith(polling, ONE, TWO)).toEqual([['account.record_rejected', 'SHP-T']])
  })

  test('that mean the same are no matter', async () => {
    await using polling = await baselined([ONE, { ...ONE }])
    expect(await passWith(polling, { ...ONE, incoterm: null }, ONE)).toEqual([])
    expect(await passWith(polling, ONE, Object.fromEntries(Object.entries(ONE).toReversed()))).toEqual([])
    expect(await polling.types()).toEqual(['account.baseline_completed'])
  })

  test('ring created once where the first poll rings', async () => {
    await using polling = await baselined([ONE, TWO], 'emit')
    const created = (await polling.events()).filter(({ subject }) => subject.id === 'SHP-T')
    expect(created.map(({ type }) => type)).toEqual(['shipment.created'])
    expect(await passWith(polling, TWO, ONE)).toEqual([])
  })
})
