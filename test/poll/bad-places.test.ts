import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { onlyShipments } from './known-shipments.ts'
import { poison, poisoned } from './poison.ts'
import { idOf, NO_CLOCK_IS_SET, Polling, shipment, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

function dock(name: string): JsonObject[] {
  return [{ id: 'L-1', name }]
}

/** The ids of shipments that are known. */
async function known(polling: Polling): Promise<readonly string[]> {
  const ids = polling.platform.shipments.map((each) => idOf(each))
  return [...(await polling.store.known('acme', 'shipment', ids)).keys()]
}

async function told(polling: Polling): Promise<readonly string[]> {
  return (await polling.events()).map(({ extras, subject, type }) =>
    type.startsWith('account.') ? type : `${type} ${subject.id}${extras.resource === undefined ? '' : ' of'}`,
  )
}

function rename(polling: Polling, nth: number, name: string): void {
  const { [nth]: row } = polling.platform.shipments
  if (row !== undefined) polling.platform.shipments[nth] = { ...row, name }
}

describe('rows of a list that cannot be read (guarantee D9)', () => {
  test.each(['broken', 'garbled', 'unreachable'] as const)(
    'are left out alone, in a baseline too: %s',
    async (kind) => {
      await using polling = new Polling(onlyShipments)
      polling.platform.shipments = shipments(250)
      poison(polling, [137], kind)
      const rung = await polling.pass()
      expect(rung.map(({ type, extras }) => [type, extras.count])).toEqual([['account.baseline_completed', 249]])
      expect(await known(polling)).toHaveLength(249)
      expect(polling.platform.asked.length).toBeLessThanOrEqual(3 + 2 + 30)
      rename(polling, 249, 'changed')
      expect((await polling.pass()).map(({ subject }) => subject.id)).toEqual(['SHP-250'])
    },
  )

  test.each([0, 99, 100, 249])('wherever they are: behind %i others', async (at) => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    poison(polling, [at])
    await polling.pass()
    expect(await polling.types()).toEqual(['account.baseline_completed'])
    expect(await known(polling)).toHaveLength(249)
  })

  test('are not asked for by the passes that follow, and nothing else is asked for more often', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    poison(polling, [137])
    await polling.pass()
    polling.platform.asked.length = 0
    await polling.pass()
    expect(polling.platform.asked.map(({ what }) => what)).toEqual([
      'shipments?skip=0',
      'shipments?skip=100',
      'shipments?skip=138',
      'shipments?skip=238',
    ])
  })

  test('are tried again at waits that grow to six hours', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(150)
    poison(polling, [137])
    await polling.pass()
    polling.platform.asked.length = 0
    for (let pass = 0; pass < 80; pass += 1) {
      await polling.clock.advance(20 * MINUTE)
      await polling.pass()
    }
    const tries = polling.platform.asked.flatMap(({ at, what }) => (what === 'shipments?skip=137' ? [at] : []))
    const waits = tries.slice(1).map((at, nth) => Math.round((at - (tries[nth] ?? 0)) / (20 * MINUTE)))
    expect(waits).toEqual([1, 1, 1, 2, 4, 7, 13, 18, 18])
    expect(await polling.types()).toEqual(['account.baseline_completed', 'account.list_incomplete'])
  })

  test('of the baseline are learnt in silence once they can be read; from then on they ring', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    poison(polling, [137, 138])
    await polling.pass()
    polling.platform.trouble = () => null
    await polling.restart()
    await polling.clock.advance(7 * HOUR)
    expect(await polling.pass()).toEqual([])
    expect(await known(polling)).toHaveLength(250)
    rename(polling, 137, 'changed')
    polling.platform.shipments.push(shipment('SHP-251'))
    expect((await polling.pass()).map(({ type, subject }) => [type, subject.id])).toEqual([
      ['shipment.updated', 'SHP-138'],
      ['shipment.created', 'SHP-251'],
    ])
  })

  test('that were known ring what changed meanwhile, and a record that came there rings', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(150)
    await polling.pass()
    poison(polling, [137, 150])
    polling.platform.shipments.push(shipment('SHP-151'))
    expect(await polling.pass()).toEqual([])
    rename(polling, 137, 'changed')
    polling.platform.trouble = () => null
    await polling.clock.advance(7 * HOUR)
    expect((await polling.pass()).map(({ type, subject }) => [type, subject.id])).toEqual([
      ['shipment.updated', 'SHP-138'],
      ['shipment.created', 'SHP-151'],
    ])
  })

  test('keep anything from being removed, for as long as they are left out', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(150)
    await polling.pass()
    poison(polling, [137])
    polling.platform.shipments.splice(20, 1)
    for (let pass = 0; pass < 8; pass += 1) await polling.pass()
    expect(await polling.types()).toEqual(['account.baseline_completed', 'account.list_incomplete'])
    polling.platform.trouble = () => null
    await polling.clock.advance(7 * HOUR)
    for (let pass = 0; pass < 3; pass += 1) await polling.pass()
    expect((await told(polling)).slice(2)).toEqual(['account.recovered', 'shipment.removed SHP-21'])
  })

  test('ring once where three passes in a row left them out, and once when all is read', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    poison(polling, [137])
    await polling.pass()
    expect(await polling.pass()).toEqual([])
    await polling.restart()
    const [incomplete] = await polling.pass()
    expect(incomplete?.type).toBe('account.list_incomplete')
    expect(incomplete?.extras).toMatchObject({ resource: 'shipments', skip: 137 })
    expect(incomplete?.extras.reason).toContain('the platform answered 500')
    for (let pass = 0; pass < 4; pass += 1) expect(await polling.pass()).toEqual([])
    polling.platform.trouble = () => null
    await polling.clock.advance(7 * HOUR)
    const [recovered] = await polling.pass()
    expect(recovered?.type).toBe('account.recovered')
    expect(recovered?.extras).toMatchObject({ was: 'list_incomplete', resource: 'shipments' })
  })

  test('are no trouble of the account, and take no more than thirty requests of a pass', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(400)
    await polling.pass()
    poison(polling, [101, 117, 133, 149, 165, 181, 350])
    for (let pass = 0; pass < 8; pass += 1) {
      polling.platform.asked.length = 0
      await polling.pass()
      expect(polling.platform.asked.length).toBeLessThanOrEqual(14 + 4 + 30)
    }
    rename(polling, 399, 'changed')
    rename(polling, 180, 'changed')
    await polling.pass()
    expect((await told(polling)).toSorted()).toEqual([
      'account.baseline_completed',
      'account.list_incomplete',
      'shipment.updated SHP-181',
      'shipment.updated SHP-400',
    ])
  })

  test('what lies behind them is read in the same pass, though there are too many to look into', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(520)
    poison(polling, [0, 37, 60, 137, 138, 170, 300])
    const [completed] = await polling.pass()
    expect(completed?.extras.count).toBeGreaterThan(250)
    expect(await known(polling)).toContain('SHP-520')
    expect(polling.platform.asked.length).toBeLessThanOrEqual(7 + 6 + 30)
    for (let pass = 0; pass < 4; pass += 1) await polling.pass()
    expect(await known(polling)).toHaveLength(513)
    expect(await polling.types()).toEqual(['account.baseline_completed', 'account.list_incomplete'])
  })

  test.each([100, 300])('a whole page of them ends the pass there: a list answered up to %i alone', async (offset) => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(520)
    poisoned(polling, ({ skip, take }) => skip + take > offset)
    const [completed] = await polling.pass()
    expect(completed?.extras.count).toBe(offset)
    for (let pass = 0; pass < 12; pass += 1) await polling.pass()
    const pages = Array.from({ length: offset / 100 }, (_, page) => `shipments?skip=${page * 100}`)
    polling.platform.asked.length = 0
    await polling.clock.advance(2 * HOUR)
    await polling.pass()
    const asked = polling.platform.asked.map(({ what }) => Number(what.split('=')[1]))
    // It is asked for again, and what has answered before it says that the account answers: nothing behind it.
    expect(Math.max(...asked)).toBeGreaterThanOrEqual(offset)
    expect(asked.filter((skip) => skip >= offset + 100)).toEqual([])
    polling.platform.asked.length = 0
    rename(polling, offset - 1, 'changed')
    expect((await polling.pass()).map(({ subject }) => subject.id)).toEqual([`SHP-${offset}`])
    expect(polling.platform.asked.map(({ what }) => what)).toEqual(pages)
    polling.platform.trouble = () => null
    await polling.clock.advance(7 * HOUR)
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['account.recovered'])
    expect(await known(polling)).toHaveLength(520)
  })

  test('an outage in the middle of a pass makes no row bad', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    await polling.pass()
    let left = 1
    polling.platform.trouble = () => (left-- > 0 ? null : { kind: 'broken' })
    await polling.pass()
    polling.platform.trouble = () => null
    polling.platform.shipments.splice(0, 1)
    await polling.clock.advance(MINUTE)
    for (let pass = 0; pass < 2; pass += 1) await polling.pass()
    expect(await told(polling)).not.toContain('account.list_incomplete')
    expect(await told(polling)).toContain('shipment.removed SHP-1')
  })

  test('the row that shows that the list answers elsewhere tells what it shows', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    await polling.pass()
    polling.platform.trouble = (_what, asked) => {
      if (asked.id !== null) return null
      const isWitness = asked.skip === 100 && asked.take === 1
      rename(polling, 100, isWitness ? 'seen once' : 'as before')
      return asked.skip === 0 ? { kind: 'broken' } : null
    }
    rename(polling, 100, 'as before')
    const names = (await polling.pass()).map(({ object }) => object?.['name'])
    expect(names).toEqual(['seen once', 'as before'])
    expect(await polling.pass()).toEqual([])
  })

  test('the row that shows that another list answers tells what it shows', async () => {
    const watch = { shipments: WATCH.shipments, locations: WATCH_MORE.locations }
    await using polling = new Polling({ watch }, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(50)
    polling.platform.locations = dock('as before')
    await polling.pass()
    polling.platform.trouble = (_what, asked) => {
      if (asked.id !== null) return null
      polling.platform.locations = dock(asked.take === 1 ? 'seen once' : 'as before')
      return asked.resource === 'shipment' ? { kind: 'broken' } : null
    }
    const rung = [...(await polling.pass()), ...(await polling.pass())].filter(({ type }) =>
      type.startsWith('location.'),
    )
    expect(rung.map(({ object }) => object?.['name']).slice(0, 2)).toEqual(['seen once', 'as before'])
  })

  test.each([
    ['on their second pages', 150],
    ['on their first pages', 50],
  ])('in several lists of an account are no outage: %s', async (_, bad) => {
    const watch = { shipments: WATCH.shipments, invoices: WATCH.invoices, locations: WATCH_MORE.locations }
    await using polling = new Polling({ watch }, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(250)
    polling.platform.invoices = Array.from({ length: 250 }, (_row, n) => ({ reference: `INV-${n}`, status: 'due' }))
    polling.platform.locations = Array.from({ length: 250 }, (_row, n) => ({ id: `L-${n}`, name: 'Dock' }))
    polling.platform.trouble = (_what, asked) =>
      asked.id === null && asked.skip <= bad && bad < asked.skip + asked.take ? { kind: 'broken' } : null
    await polling.run(10 * MINUTE)
    const types = ['account.baseline_completed', 'account.list_incomplete']
    expect(await polling.types()).toEqual(types.flatMap((type) => Object.keys(watch).map(() => type)))
  })

  test('move with the rows before them: what they show first is silent all the same', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    const bad = new Set(['SHP-138'])
    poisoned(polling, ({ skip, take }) =>
      polling.platform.shipments.slice(skip, skip + take).some((row: JsonObject) => bad.has(idOf(row))),
    )
    await polling.pass()
    for (const nth of [1, 2, 3]) {
      polling.platform.shipments.unshift(shipment(`NEW-${nth}`))
      expect(
        (await polling.pass()).filter(({ type }) => type.startsWith('shipment')).map(({ subject }) => subject.id),
      ).toEqual([`NEW-${nth}`])
    }
    expect(await known(polling)).toHaveLength(252)
    polling.platform.shipments.unshift(shipment('NEW-4'))
    bad.clear()
    const ids = async () =>
      (await polling.pass()).filter(({ type }) => type.startsWith('shipment')).map(({ subject }) => subject.id)
    expect(await ids()).toEqual(['NEW-4'])
    await polling.clock.advance(7 * HOUR)
    expect(await ids()).toEqual([])
    expect(await known(polling)).toHaveLength(254)
  })

  test('move so after they were tried again in vain, too', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    const bad = new Set(['SHP-111', 'SHP-112'])
    poisoned(polling, ({ skip, take }) =>
      polling.platform.shipments.slice(skip, skip + take).some((row: JsonObject) => bad.has(idOf(row))),
    )
    for (let pass = 0; pass < 4; pass += 1) {
      await polling.pass()
      await polling.clock.advance(7 * HOUR)
    }
    polling.platform.shipments.splice(49, 1)
    await polling.pass()
    bad.clear()
    await polling.clock.advance(7 * HOUR)
    const rung = [...(await polling.pass()), ...(await polling.pass())].map(({ type }) => type)
    expect(rung).toEqual(['account.recovered', 'shipment.removed'])
    expect(await known(polling)).toHaveLength(249)
  })

  test('are found whatever the platform gives in place of what is asked for', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.mostRows = 30
    polling.platform.shipments = shipments(100)
    poisoned(polling, ({ skip, take }) => [0, 37, 75].some((row) => skip <= row && row < skip + Math.min(take, 30)))
    for (let pass = 0; pass < 3; pass += 1) await polling.pass()
    expect(await known(polling)).toHaveLength(97)
    expect(await polling.types()).toEqual(['account.baseline_completed', 'account.list_incomplete'])
    polling.platform.trouble = () => null
    await polling.clock.advance(7 * HOUR)
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['account.recovered'])
    expect(await known(polling)).toHaveLength(100)
  })

  test.each([40, 100, 101])(
    'a list of %i rows that all fail ends its baseline, and is learnt in silence later',
    async (count) => {
      await using polling = new Polling(onlyShipments)
      polling.platform.shipments = shipments(count)
      poisoned(polling, ({ skip, take }) => take > 0 && skip < Math.min(count, 100))
      const [completed] = await polling.pass()
      expect(completed?.extras).toEqual(expect.objectContaining({ resource: 'shipments', count: 0 }))
      for (let pass = 0; pass < 3; pass += 1) await polling.pass()
      polling.platform.trouble = () => null
      await polling.restart()
      await polling.clock.advance(7 * HOUR)
      await polling.pass()
      expect(await known(polling)).toHaveLength(count)
      expect(await polling.types()).toEqual([
        'account.baseline_completed',
        'account.list_incomplete',
        'account.recovered',
      ])
    },
  )

  test('of a list that is shorter now are forgotten, and removals are believed again', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(150)
    await polling.pass()
    poison(polling, [147])
    await polling.pass()
    polling.platform.shipments.splice(147, 3)
    polling.platform.trouble = () => null
    await polling.clock.advance(7 * HOUR)
    for (let pass = 0; pass < 3; pass += 1) await polling.pass()
    expect((await told(polling)).slice(1).toSorted()).toEqual([
      'shipment.removed SHP-148',
      'shipment.removed SHP-149',
      'shipment.removed SHP-150',
    ])
  })

  test('ring with first_poll: emit, all of them once', async () => {
    await using polling = new Polling({ ...onlyShipments, firstPoll: 'emit' })
    polling.platform.shipments = shipments(120)
    poison(polling, [110])
    await polling.pass()
    polling.platform.trouble = () => null
    await polling.clock.advance(7 * HOUR)
    await polling.pass()
    const created = (await polling.events()).filter(({ type }) => type === 'shipment.created')
    expect(created).toHaveLength(120)
    expect(created.at(-1)?.subject.id).toBe('SHP-111')
  })

  test('a tracking of theirs is known at the baseline as well', async () => {
    await using polling = new Polling()
    polling.platform.shipments = shipments(3)
    polling.platform.tracking.set('SHP-2', trackingOf('SHP-2', 'Gate in'))
    poison(polling, [1])
    await polling.pass()
    polling.platform.trouble = () => null
    await polling.clock.advance(7 * HOUR)
    expect(await polling.pass()).toEqual([])
    polling.platform.tracking.set('SHP-2', trackingOf('SHP-2', 'Gate in', 'Loaded'))
    await polling.clock.advance(HOUR)
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['tracking.event_added'])
  })

  test('spare reads ask for what can be read up to there', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(150)
    await polling.pass()
    poison(polling, [137])
    await polling.pass()
    rename(polling, 120, 'changed')
    const list = polling.listPoller('shipments')
    const why = { kind: 'announced' } as const
    const { signal } = new AbortController()
    expect(await list.readSparePage({ skip: 100, why, signal })).toMatchObject({ reason: null, events: 1 })
    expect(await list.readSparePage({ skip: 137, why, signal })).toMatchObject({ reason: 'its rows cannot be read' })
  })
})
