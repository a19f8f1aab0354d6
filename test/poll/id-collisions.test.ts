import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { Polling, shipment, shipments, WATCH, WATCH_MORE } from './polling.ts'

const FIRST = shipment('SHP-T', { name: 'first' })
const SECOND = shipment('SHP-T', { name: 'second' })

function emitted(events: readonly ShipbellEvent[]): readonly unknown[] {
  return events.map(({ type, object, extras }) => [type, object?.name ?? extras.id ?? null])
}

function pick(record: JsonObject | null): readonly JsonObject[] {
  return record === null ? [] : [record]
}

/** Two pages, each beginning with one of the records. */
function list(first: JsonObject | null, second: JsonObject | null): JsonObject[] {
  const others = shipments(118)
  return [...pick(first), ...others.slice(0, 100), ...pick(second), ...others.slice(100)]
}

async function learnt(first: JsonObject | null, second: JsonObject | null): Promise<Polling> {
  const polling = new Polling({ watch: { shipments: WATCH.shipments } })
  polling.platform.shipments = list(first, second)
  await polling.pass()
  return polling
}

describe('two records of a list that carry one id', () => {
  test('ring no longer once two passes in a row met both, are reported once, and stay silent across a restart', async () => {
    await using polling = await learnt(FIRST, SECOND)
    expect(emitted(await polling.pass())).toEqual([
      ['shipment.updated', 'first'],
      ['shipment.updated', 'second'],
      ['account.record_rejected', 'SHP-T'],
    ])
    const report = (await polling.events()).find(({ type }) => type === 'account.record_rejected')
    expect(report?.extras.reason).toContain('Two different records')
    for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
    await polling.restart()
    for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
    polling.platform.shipments = list(SECOND, FIRST)
    expect(await polling.pass()).toEqual([])
  })

  test('one of them that stays alone is followed like any other', async () => {
    await using polling = await learnt(FIRST, SECOND)
    for (let pass = 0; pass < 2; pass += 1) await polling.pass()
    polling.platform.shipments = list(FIRST, null)
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'first']])
    polling.platform.shipments = list(SECOND, null)
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'second']])
    polling.platform.shipments = list(SECOND, FIRST)
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'first']])
  })

  test('a third content rings at once', async () => {
    await using polling = await learnt(FIRST, SECOND)
    for (let pass = 0; pass < 2; pass += 1) await polling.pass()
    polling.platform.shipments = list(FIRST, { ...SECOND, name: 'third' })
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'third']])
    for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
  })

  test('a record that moved to another page and changed while the pass ran is believed, also when it changes back', async () => {
    await using polling = await learnt(FIRST, null)
    const moving = (from: JsonObject, to: JsonObject): void => {
      polling.platform.shipments = list(from, null)
      polling.platform.afterEach = (what) => {
        if (what === 'shipments?skip=0') polling.platform.shipments = list(null, null).concat(to)
      }
    }
    moving(FIRST, SECOND)
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'second']])
    polling.platform.afterEach = () => undefined
    polling.platform.shipments = list(FIRST, null)
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'first']])
    moving(SECOND, FIRST)
    expect(emitted(await polling.pass())).toEqual([
      ['shipment.updated', 'second'],
      ['shipment.updated', 'first'],
    ])
    polling.platform.afterEach = () => undefined
    polling.platform.shipments = list(SECOND, null)
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'second']])
  })

  test('one record that changes back and forth on its way to another page rings each time, until a fetch says that they are two', async () => {
    await using polling = await learnt(FIRST, null)
    for (let pass = 0; pass < 4; pass += 1) {
      polling.platform.shipments = list(FIRST, null)
      polling.platform.afterEach = (what) => {
        if (what === 'shipments?skip=0') polling.platform.shipments = list(null, null).concat(SECOND)
      }
      const expected = [...(pass === 0 ? [] : [['shipment.updated', 'first']]), ['shipment.updated', 'second']]
      expect(emitted(await polling.pass())).toEqual(expected)
    }
    polling.platform.afterEach = () => undefined
    polling.platform.shipments = list(FIRST, SECOND)
    expect(emitted(await polling.pass()).at(-1)).toEqual(['account.record_rejected', 'SHP-T'])
    expect(await polling.pass()).toEqual([])
  })

  test('are told apart by a fetch that shows more of them than the list, and by the passes where none works', async () => {
    await using polling = await learnt(FIRST, SECOND)
    polling.platform.found.set('shipment/SHP-T', { ...SECOND, reference: 'only a fetch shows it' })
    expect(emitted(await polling.pass()).at(-1)).toEqual(['account.record_rejected', 'SHP-T'])
    expect(await polling.pass()).toEqual([])
    await using other = await learnt(FIRST, SECOND)
    other.platform.hides = (what) => what === 'shipment/SHP-T'
    expect(emitted(await other.pass())).toHaveLength(2)
    expect(emitted(await other.pass()).at(-1)).toEqual(['account.record_rejected', 'SHP-T'])
    expect(await other.pass()).toEqual([])
  })

  test('are neither removed nor counted twice, and what differs in nothing but its link is one record', async () => {
    await using polling = new Polling({ watch: { documents: WATCH_MORE.documents } })
    let asked = 0
    polling.platform.afterEach = () => {
      asked += 1
      const row = (name: string): JsonObject => ({ id: 'DOC', name, link: `signed-${asked}` })
      const others = Array.from({ length: 120 }, (_, n) => ({ id: `D${n}`, name: 'x' }))
      polling.platform.documents = [row('first'), ...others.slice(0, 100), row('second'), ...others.slice(100)]
    }
    polling.platform.afterEach('')
    await polling.pass()
    await polling.pass()
    for (let pass = 0; pass < 4; pass += 1) expect(await polling.pass()).toEqual([])
  })
})
