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
  test('never ring for each other, are reported once, and one is followed steadily, also across a restart', async () => {
    await using polling = await learnt(FIRST, SECOND)
    const emittedFirst = emitted(await polling.events())
    expect(emittedFirst).toEqual([
      ['account.record_rejected', 'SHP-T'],
      ['account.baseline_completed', null],
    ])
    const report = (await polling.events()).find(({ type }) => type === 'account.record_rejected')
    expect(report?.extras.reason).toContain('Two different records')
    for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
    await polling.restart()
    for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
    polling.platform.shipments = list(SECOND, FIRST)
    expect(await polling.pass()).toEqual([])
  })

  test('a second record that turns up later rings nothing but its report', { tags: 'long' }, async () => {
    await using polling = await learnt(FIRST, null)
    polling.platform.shipments = list(FIRST, SECOND)
    expect(emitted(await polling.pass())).toEqual([['account.record_rejected', 'SHP-T']])
    for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
  })

  test('are told apart by reading two pages again, once', async () => {
    await using polling = await learnt(FIRST, null)
    polling.platform.shipments = list(FIRST, SECOND)
    polling.platform.asked.length = 0
    await polling.pass()
    expect(polling.platform.asked.map(({ what }) => what)).toEqual([
      'shipments?skip=0',
      'shipments?skip=100',
      'shipments?skip=0',
      'shipments?skip=100',
      'shipments?skip=120',
    ])
    polling.platform.asked.length = 0
    await polling.pass()
    expect(polling.platform.asked.map(({ what }) => what)).toEqual(['shipments?skip=0', 'shipments?skip=100'])
  })

  test('many of them on the same pages take no more reads', { tags: 'long' }, async () => {
    await using polling = new Polling({ watch: { shipments: WATCH.shipments } })
    const all = shipments(240)
    polling.platform.shipments = all
    await polling.pass()
    const doubles = all.slice(10, 40).map((record) => ({ ...record, name: 'another' }))
    polling.platform.shipments = [...all.slice(0, 150), ...doubles, ...all.slice(150)]
    polling.platform.asked.length = 0
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['account.record_rejected'])
    expect(polling.platform.asked).toHaveLength(6)
    expect(await polling.pass()).toEqual([])
  })

  test('what cannot be told rings nothing, and the next pass says it', async () => {
    await using polling = await learnt(FIRST, null)
    polling.platform.shipments = list(FIRST, SECOND)
    let asked = 0
    polling.platform.trouble = (what) => {
      asked += Number(what === 'shipments?skip=0')
      return what === 'shipments?skip=0' && asked === 2 ? { kind: 'broken' } : null
    }
    expect(await polling.pass()).toEqual([])
    polling.platform.trouble = () => null
    polling.platform.shipments = list(null, SECOND)
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'second']])
  })

  test('the followed one that changes rings, and the other one does not', async () => {
    await using polling = await learnt(FIRST, SECOND)
    polling.platform.shipments = list(FIRST, { ...SECOND, name: 'second changed' })
    for (let pass = 0; pass < 2; pass += 1) expect(await polling.pass()).toEqual([])
    polling.platform.shipments = list({ ...FIRST, name: 'first changed' }, { ...SECOND, name: 'second changed' })
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'first changed']])
    for (let pass = 0; pass < 2; pass += 1) expect(await polling.pass()).toEqual([])
    polling.platform.shipments = list({ ...SECOND, name: 'second changed' }, { ...FIRST, name: 'first once more' })
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'first once more']])
    expect(await polling.pass()).toEqual([])
  })

  test('one of them that stays alone is followed like any other', { tags: 'long' }, async () => {
    await using polling = await learnt(FIRST, SECOND)
    await polling.pass()
    polling.platform.shipments = list(SECOND, null)
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'second']])
    polling.platform.shipments = list(FIRST, null)
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'first']])
    polling.platform.shipments = list(FIRST, SECOND)
    expect(emitted(await polling.pass())).toEqual([['account.record_rejected', 'SHP-T']])
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

  test(
    'what the pages that are read again show besides rings like what any answer shows',
    { tags: 'long' },
    async () => {
      await using polling = await learnt(FIRST, null)
      polling.platform.shipments = list(FIRST, SECOND)
      let isAgain = false
      polling.platform.afterEach = (what) => {
        const showsOnce = what === 'shipments?skip=100' && !isAgain
        if (showsOnce) isAgain = true
        const [first, other, ...rest] = list(FIRST, SECOND)
        polling.platform.shipments = [...pick(first ?? null), { ...other, ...(showsOnce && { name: 'once' }) }, ...rest]
      }
      expect(emitted(await polling.pass())).toEqual([
        ['shipment.updated', 'once'],
        ['account.record_rejected', 'SHP-T'],
      ])
      expect((await polling.pass()).map(({ type }) => type)).toEqual(['shipment.updated'])
      expect(await polling.pass()).toEqual([])
    },
  )

  test(
    'one record that changes back and forth on its way to another page rings each time, until its pages say that they are two',
    { tags: 'long' },
    async () => {
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
    },
  )

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
