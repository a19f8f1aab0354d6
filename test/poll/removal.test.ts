import { judgeHold } from '../support/judge-hold.ts'
import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { idOf, Polling, shipment, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'
import { emitted, typesOf } from './emitted.ts'
import { baselined, onlyShipments, without } from './known-shipments.ts'
import { failFrom } from './poison.ts'

async function withoutOne(): Promise<Polling> {
  const polling = await baselined()
  without(polling, 'SHP-4')
  await polling.pass()
  await polling.pass()
  return polling
}

/** `gone` of `known` shipments are missing, which is not believed. */
async function withHold(known = 20, gone = 10): Promise<Polling> {
  const polling = await baselined(known)
  polling.platform.shipments = polling.platform.shipments.slice(gone)
  await polling.pass()
  await polling.pass()
  expect(await polling.store.holds()).toMatchObject([{ reason: 'too_many', missing: gone }])
  return polling
}

const fetched = (polling: Polling): readonly string[] =>
  polling.platform.asked.map(({ what }) => what).filter((what) => what.includes('/'))

describe('an item is removed (guarantee D6)', () => {
  test('when two complete passes miss it and a fetch by id answers 404', async () => {
    await using polling = await baselined()
    without(polling, 'SHP-4')
    expect(await polling.pass()).toEqual([])
    expect(fetched(polling)).toEqual([])
    const [removed, ...more] = await polling.pass()
    expect(more).toEqual([])
    expect(removed).toMatchObject({
      type: 'shipment.removed',
      subject: { id: 'SHP-4', version: 1, previousEventId: null },
      object: shipment('SHP-4'),
      before: null,
      changes: null,
      shipment: { id: 'SHP-4', name: 'Shipment SHP-4' },
    })
    expect(await polling.pass()).toEqual([])
    expect((await polling.store.records('acme', 'shipment', ['SHP-4'])).get('SHP-4')?.removedAt).toBe(
      removed?.timestamp,
    )
  })

  test('and says between which reads that happened', async () => {
    await using polling = await baselined()
    const seen = (await polling.store.records('acme', 'shipment', ['SHP-4'])).get('SHP-4')?.lastRead
    without(polling, 'SHP-4')
    await polling.pass()
    const [removed] = await polling.pass()
    const asked = polling.platform.asked.find(({ what }) => what === 'shipment/SHP-4')
    expect(removed?.observed).toEqual({ notBefore: seen?.sentAt, notAfter: asked?.at })
    expect(removed?.timestamp).toBe(asked?.at)
  })

  test('but not while a fetch by id still shows it: the misses start anew', async () => {
    await using polling = await baselined()
    const hidden = polling.platform.shipments[3]
    without(polling, 'SHP-4')
    polling.platform.found.set('shipment/SHP-4', hidden ?? {})
    for (let pass = 0; pass < 6; pass += 1) expect(await polling.pass()).toEqual([])
    expect(fetched(polling).filter((what) => what === 'shipment/SHP-4')).toHaveLength(3)
  })

  test('nor while the fetch fails: it waits for the next pass', async () => {
    await using polling = await baselined()
    without(polling, 'SHP-4')
    polling.platform.trouble = (what) => (what === 'shipment/SHP-4' ? { kind: 'broken' } : null)
    for (let pass = 0; pass < 4; pass += 1) expect(await polling.pass()).toEqual([])
    polling.platform.trouble = () => null
    expect(emitted(await polling.pass())).toEqual([['shipment.removed', 'SHP-4']])
  })

  test('one whose fetch always fails holds up no other', async () => {
    await using polling = await baselined()
    without(polling, 'SHP-1', 'SHP-2', 'SHP-3')
    polling.platform.trouble = (what) => (/SHP-[123]$/.test(what) ? { kind: 'broken' } : null)
    for (let pass = 0; pass < 3; pass += 1) await polling.pass()
    without(polling, 'SHP-9')
    await polling.pass()
    expect(emitted(await polling.pass())).toContainEqual(['shipment.removed', 'SHP-9'])
  })

  test.each([
    ['404', null],
    ['403', { kind: 'forbidden' }],
    ['405 or 500', { kind: 'broken' }],
  ] as const)(
    'where no fetch by id ever worked but showed %s, when three complete passes miss it',
    async (_, trouble) => {
      await using polling = await baselined()
      polling.platform.hides = () => true
      polling.platform.trouble = (what) => (what.startsWith('shipment/') ? trouble : null)
      without(polling, 'SHP-4')
      expect(await polling.pass()).toEqual([])
      expect(await polling.pass()).toEqual([])
      expect(emitted(await polling.pass())).toEqual([['shipment.removed', 'SHP-4']])
      expect(await polling.pass()).toEqual([])
    },
  )

  test('once a fetch by id worked, a 404 is believed also when nothing else can be fetched', async () => {
    await using polling = await baselined()
    without(polling, 'SHP-4')
    await polling.pass()
    await polling.pass()
    await polling.restart()
    without(polling, 'SHP-5')
    polling.platform.hides = () => true
    await polling.pass()
    expect(emitted(await polling.pass())).toEqual([['shipment.removed', 'SHP-5']])
  })

  test('never by an incomplete pass, which may add and change', async () => {
    await using polling = await baselined(250)
    without(polling, 'SHP-4')
    polling.platform.shipments[0] = shipment('SHP-1', { status: 'finished' })
    polling.platform.shipments.unshift(shipment('SHP-NEW'))
    polling.platform.trouble = (what) => (what.endsWith('skip=200') ? { kind: 'unauthorized' } : null)
    const first = await polling.pass()
    expect(typesOf(first)).toEqual(['shipment.created', 'shipment.status_changed', 'account.unauthorized'])
    for (let pass = 0; pass < 3; pass += 1) {
      await polling.clock.advance(3_600_000)
      expect(typesOf(await polling.pass())).toEqual(['account.recovered', 'account.unauthorized'])
    }
    polling.platform.trouble = () => null
    await polling.clock.advance(3_600_000)
    expect(typesOf(await polling.pass())).toEqual(['account.recovered'])
    expect(emitted(await polling.pass())).toEqual([['shipment.removed', 'SHP-4']])
  })

  test('not where it is shown with a record that cannot be understood', async () => {
    await using polling = await baselined()
    polling.platform.hides = () => true
    polling.platform.rejects = (id) => id === 'SHP-4'
    const rung: ShipbellEvent[] = []
    for (let pass = 0; pass < 5; pass += 1) rung.push(...(await polling.pass()))
    expect(typesOf(rung)).toEqual(['account.record_rejected'])
  })

  test('also across restarts between the passes, exactly once', async () => {
    await using polling = await baselined()
    without(polling, 'SHP-4')
    await polling.pass()
    await polling.restart()
    expect(typesOf(await polling.pass())).toEqual(['shipment.removed'])
    await polling.restart()
    expect(await polling.pass()).toEqual([])
  })

  test('in silence where only an interrupted baseline showed it', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    failFrom(polling, 'shipments?skip=200')
    await polling.pass()
    polling.platform.trouble = () => null
    without(polling, 'SHP-4')
    for (let pass = 0; pass < 4; pass += 1) await polling.pass()
    expect(await polling.types()).toEqual(['account.unreachable', 'account.recovered', 'account.baseline_completed'])
  })

  test.each([
    ['invoices', 'invoice.removed', { reference: 'X', type: 'invoice' }],
    ['invoices', 'credit_note.removed', { reference: 'X', type: 'credit_note' }],
    ['documents', 'document.removed', { id: 'X' }],
    ['purchase_orders', 'purchase_order.removed', { po_number: 'X' }],
    ['locations', 'location.removed', { id: 'X' }],
  ] as const)('%s: rings %s', async (watch, type, record) => {
    await using polling = new Polling({ watch: { [watch]: { ...WATCH, ...WATCH_MORE }[watch] } })
    const list = watch === 'purchase_orders' ? 'purchaseOrders' : watch
    const rest = ['A', 'B', 'C'].map((id) => ({ reference: id, id, po_number: id }))
    polling.platform[list] = [...rest, record]
    await polling.pass()
    polling.platform[list] = rest
    await polling.pass()
    expect(emitted(await polling.pass())).toEqual([[type, 'X']])
    polling.platform[list] = [...rest, record]
    expect(emitted(await polling.pass())).toEqual([[type.replace('removed', 'restored'), 'X']])
  })

  test('a removed shipment takes its tracking along: it is not read and rings nothing', async () => {
    await using polling = new Polling()
    polling.platform.shipments = shipments(5)
    polling.platform.tracking.set('SHP-4', trackingOf('SHP-4', 'Gate in'))
    await polling.pass()
    without(polling, 'SHP-4')
    await polling.clock.advance(60_000)
    await polling.pass()
    await polling.clock.advance(60_000)
    expect(typesOf(await polling.pass())).toEqual(['shipment.removed'])
    polling.platform.tracking.set('SHP-4', trackingOf('SHP-4', 'Gate in', 'Loaded'))
    const asked = polling.platform.asked.length
    await polling.clock.advance(60_000)
    expect(await polling.pass()).toEqual([])
    expect(polling.platform.asked.slice(asked).map(({ what }) => what)).not.toContain('tracking/SHP-4')
  })
})

describe('an order preparation, which has no list', () => {
  const watch = { order_preparations: WATCH_MORE.order_preparations }

  async function preparations(): Promise<Polling> {
    const polling = new Polling({ watch })
    polling.platform.orderPreparations.set('OP-1', { name: 'first' })
    await polling.pass()
    return polling
  }

  test('is removed when it is not found twice in a row after content, and restored when it returns', async () => {
    await using polling = await preparations()
    const shown = (await polling.store.records('acme', 'order_preparation', ['OP-1'])).get('OP-1')?.lastRead
    polling.platform.orderPreparations.clear()
    expect(await polling.pass()).toEqual([])
    await polling.restart()
    const [removed, ...more] = await polling.pass()
    expect(more).toEqual([])
    expect(removed).toMatchObject({ type: 'order_preparation.removed', object: { name: 'first' } })
    expect(removed?.observed?.notBefore).toBe(shown?.sentAt)
    expect(await polling.pass()).toEqual([])
    polling.platform.orderPreparations.set('OP-1', { name: 'first' })
    expect(emitted(await polling.pass())).toEqual([['order_preparation.restored', 'OP-1']])
    expect(await polling.pass()).toEqual([])
  })

  test('is not removed while it is found now and then', async () => {
    await using polling = await preparations()
    for (let round = 0; round < 3; round += 1) {
      polling.platform.orderPreparations.clear()
      expect(await polling.pass()).toEqual([])
      polling.platform.orderPreparations.set('OP-1', { name: 'first' })
      expect(await polling.pass()).toEqual([])
    }
  })

  test('is created when it is first found, however often it was not', async () => {
    await using polling = new Polling({ watch })
    await polling.pass()
    expect(await polling.pass()).toEqual([])
    expect(await polling.pass()).toEqual([])
    polling.platform.orderPreparations.set('OP-1', { name: 'first' })
    expect(typesOf(await polling.pass())).not.toContain('order_preparation.restored')
  })
})

describe('an item that returns', () => {
  test('is restored, not created, in the chain of its events', async () => {
    await using polling = await withoutOne()
    const gone = (await polling.events()).at(-1)
    polling.platform.shipments.push(shipment('SHP-4'))
    const [restored, ...more] = await polling.pass()
    expect(more).toEqual([])
    expect(restored).toMatchObject({
      type: 'shipment.restored',
      subject: { id: 'SHP-4', version: 2, previousEventId: gone?.id },
      object: shipment('SHP-4'),
      changes: null,
      before: null,
    })
    expect(restored?.observed?.notBefore).toBeGreaterThanOrEqual(gone?.timestamp ?? Number.NaN)
    expect(await polling.pass()).toEqual([])
  })

  test('tells what changed meanwhile in its object alone; what changes later rings', async () => {
    await using polling = await withoutOne()
    polling.platform.shipments.push(shipment('SHP-4', { status: 'in_progress' }))
    const rung = await polling.pass()
    expect(typesOf(rung)).toEqual(['shipment.restored'])
    expect(rung[0]?.object).toMatchObject({ status: 'in_progress' })
    without(polling, 'SHP-4')
    polling.platform.shipments.push(shipment('SHP-4', { status: 'finished' }))
    expect(typesOf(await polling.pass())).toEqual(['shipment.status_changed'])
  })

  test('can be removed and restored again, each time with an id of its own', async () => {
    await using polling = await withoutOne()
    for (let round = 0; round < 2; round += 1) {
      polling.platform.shipments.push(shipment('SHP-4'))
      expect(typesOf(await polling.pass())).toEqual(['shipment.restored'])
      without(polling, 'SHP-4')
      await polling.pass()
      expect(typesOf(await polling.pass())).toEqual(['shipment.removed'])
    }
    const ids = (await polling.events()).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('before it was removed, rings nothing', async () => {
    await using polling = await baselined()
    const there = polling.platform.shipments
    for (let round = 0; round < 3; round += 1) {
      polling.platform.shipments = there.slice(1)
      expect(await polling.pass()).toEqual([])
      polling.platform.shipments = there
      expect(await polling.pass()).toEqual([])
    }
  })
})

describe('removals that are not believed', () => {
  test.each([
    [10, 5],
    [400, 8],
  ])('of %i known, %i may go in one pass and one more is held', async (known, most) => {
    const gone = Array.from({ length: most + 1 }, (_, index) => `SHP-${index + 1}`)
    await using believed = await baselined(known)
    without(believed, ...gone.slice(1))
    await believed.pass()
    expect(typesOf(await believed.pass())).toEqual(Array.from({ length: most }, () => 'shipment.removed'))

    await using held = await baselined(known)
    without(held, ...gone)
    expect(await held.pass()).toEqual([])
    const [rung, ...more] = await held.pass()
    expect(more).toEqual([])
    expect(rung).toMatchObject({
      type: 'account.removals_held',
      subject: { resource: 'account', id: 'acme' },
      observed: null,
      extras: { resource: 'shipments', reason: 'too_many', known, missing: most + 1 },
    })
    expect(rung?.extras.sample).toEqual(expect.arrayContaining(gone))
    for (let pass = 0; pass < 4; pass += 1) expect(await held.pass()).toEqual([])
  })

  test('what a fetch by id still shows is not counted', async () => {
    await using polling = await baselined(20)
    for (const each of polling.platform.shipments.slice(0, 10)) {
      polling.platform.found.set(`shipment/${idOf(each)}`, each)
    }
    without(polling, ...shipments(10).map((each) => idOf(each)))
    for (let pass = 0; pass < 4; pass += 1) expect(await polling.pass()).toEqual([])
  })

  test.each([1, 3])('an empty list where %i items were known', async (known) => {
    await using polling = await baselined(known)
    const there = polling.platform.shipments
    polling.platform.shipments = []
    const rung = await polling.pass()
    expect(rung.map(({ type, extras }) => [type, extras.reason, extras.known])).toEqual([
      ['account.removals_held', 'empty', known],
    ])
    expect(await polling.pass()).toEqual([])
    await polling.restart()
    expect(await polling.pass()).toEqual([])
    polling.platform.shipments = there
    expect(await polling.pass()).toEqual([])
    expect(await polling.store.holds()).toEqual([])
    polling.platform.shipments = []
    expect(typesOf(await polling.pass())).toEqual(['account.removals_held'])
  })

  test('an empty list of a resource that answers [] instead of 404', async () => {
    await using polling = new Polling({ watch: { invoices: WATCH.invoices } })
    polling.platform.invoices = [{ reference: 'INV-1', type: 'invoice' }]
    await polling.pass()
    polling.platform.invoices = []
    expect((await polling.pass()).map(({ type, extras }) => [type, extras.resource, extras.reason])).toEqual([
      ['account.removals_held', 'invoices', 'empty'],
    ])
    for (let pass = 0; pass < 4; pass += 1) expect(await polling.pass()).toEqual([])
  })

  test('passes that were not believed count no misses', async () => {
    await using polling = await baselined()
    const there = polling.platform.shipments
    polling.platform.shipments = []
    await polling.pass()
    await polling.pass()
    polling.platform.shipments = there.slice(1)
    expect(await polling.pass()).toEqual([])
    expect(emitted(await polling.pass())).toEqual([['shipment.removed', 'SHP-1']])
  })

  test('a hold ends by itself when the items return', async () => {
    await using polling = await baselined()
    const there = polling.platform.shipments
    polling.platform.shipments = there.slice(6)
    await polling.pass()
    expect(typesOf(await polling.pass())).toEqual(['account.removals_held'])
    expect(await polling.store.holds()).toHaveLength(1)
    polling.platform.shipments = there.slice(1)
    expect(emitted(await polling.pass())).toEqual([['shipment.removed', 'SHP-1']])
    expect(await polling.store.holds()).toEqual([])
  })
})

describe("another account's key", () => {
  const others = Array.from({ length: 250 }, (_, index) => shipment(`OTHER-${index}`))

  test('neither removes nor creates anything, and says so once', async () => {
    await using polling = await baselined(30)
    const there = polling.platform.shipments
    polling.platform.shipments = [...others, ...there.slice(0, 2)]
    const rung = await polling.pass()
    expect(rung.map(({ type, extras }) => [type, extras.reason, extras.known, extras.missing])).toEqual([
      ['account.removals_held', 'other_account', 30, 28],
    ])
    for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
    polling.platform.shipments = there
    expect(await polling.pass()).toEqual([])
    expect(await polling.store.holds()).toEqual([])
  })

  test('unknown items are created, in order, once a tenth of the known ones was met', async () => {
    await using polling = await baselined(30)
    const there = polling.platform.shipments
    polling.platform.shipments = [...others, ...there.slice(0, 3)]
    const rung = await polling.pass()
    expect(emitted(rung)).toEqual(others.map((each) => ['shipment.created', each.platform_shipment_id]))
    const pages = polling.platform.asked.filter(({ what }) => what.includes('skip='))
    expect(pages.length).toBeGreaterThan(2)
  })

  test('of one or two known items none need be met', async () => {
    await using polling = await baselined(2)
    polling.platform.shipments = [shipment('SHP-8'), shipment('SHP-9')]
    expect(typesOf(await polling.pass())).toEqual(['shipment.created', 'shipment.created'])
    expect(typesOf(await polling.pass())).toEqual(['shipment.removed', 'shipment.removed'])
  })

  test('a removed item counts as unknown: it is not restored by a list that is not ours', async () => {
    await using polling = await baselined(30)
    const there = polling.platform.shipments
    without(polling, 'SHP-30')
    await polling.pass()
    await polling.pass()
    polling.platform.shipments = [shipment('SHP-30'), ...others]
    expect(typesOf(await polling.pass())).toEqual(['account.removals_held'])
    polling.platform.shipments = there
    expect(emitted(await polling.pass())).toEqual([['shipment.restored', 'SHP-30']])
  })

  test('what was withheld is not said to have been absent from the passes that showed it', async () => {
    await using polling = await baselined(30)
    polling.platform.shipments = [...others]
    await polling.pass()
    polling.platform.shipments = [...shipments(30), shipment('OTHER-1')]
    const [created] = await polling.pass()
    expect(created).toMatchObject({ type: 'shipment.created', observed: { notBefore: null } })
  })
})

describe('a verdict on held removals', () => {
  test('accept: the next complete pass is believed, each removal verified as usual', async () => {
    await using polling = await withHold()
    polling.platform.found.set('shipment/SHP-1', shipment('SHP-1'))
    expect(await judgeHold(polling.store, { account: 'acme', resource: 'shipment' }, 'accept')).toBe(true)
    const rung = await polling.pass()
    expect(typesOf(rung)).toEqual(Array.from({ length: 9 }, () => 'shipment.removed'))
    expect(rung.map(({ subject }) => subject.id)).not.toContain('SHP-1')
    expect(await polling.store.holds()).toEqual([])
    expect(await polling.pass()).toEqual([])
  })

  test('accept waits for a complete pass, and for every fetch to answer', async () => {
    await using polling = await withHold()
    await judgeHold(polling.store, { account: 'acme', resource: 'shipment' }, 'accept')
    polling.platform.trouble = (what) => (what.includes('skip=') ? { kind: 'broken' } : null)
    expect(typesOf(await polling.pass())).toEqual(['account.unreachable'])
    polling.platform.trouble = (what) => (what === 'shipment/SHP-1' ? { kind: 'broken' } : null)
    await polling.clock.advance(600_000)
    expect(typesOf(await polling.pass()).filter((type) => type === 'shipment.removed')).toHaveLength(9)
    polling.platform.trouble = () => null
    await polling.clock.advance(600_000)
    expect(emitted(await polling.pass())).toContainEqual(['shipment.removed', 'SHP-1'])
    expect(await polling.store.holds()).toEqual([])
  })

  test('accept of an empty list stands until every fetch has answered, whichever failed', async () => {
    await using polling = await baselined(4)
    // A fetch by id is known to work: one found a record that a list had missed.
    polling.platform.shipments = polling.platform.shipments.slice(1)
    polling.platform.found.set('shipment/SHP-1', shipment('SHP-1'))
    await polling.pass()
    await polling.pass()
    polling.platform.found.clear()
    polling.platform.shipments = []
    expect(typesOf(await polling.pass())).toEqual(['account.removals_held'])
    await judgeHold(polling.store, { account: 'acme', resource: 'shipment' }, 'accept')
    polling.platform.trouble = (what) => (what === 'shipment/SHP-2' ? { kind: 'broken' } : null)
    expect(typesOf(await polling.pass())).toEqual(['shipment.removed', 'shipment.removed', 'shipment.removed'])
    polling.platform.trouble = () => null
    await polling.clock.advance(600_000)
    expect(emitted(await polling.pass())).toEqual([['shipment.removed', 'SHP-2']])
    expect(await polling.store.holds()).toEqual([])
  })

  test('accept covers what was shown: more than that rings anew', async () => {
    await using polling = await withHold()
    await judgeHold(polling.store, { account: 'acme', resource: 'shipment' }, 'accept')
    polling.platform.shipments = []
    expect((await polling.pass()).map(({ type, extras }) => [type, extras.reason])).toEqual([
      ['account.removals_held', 'empty'],
    ])
    expect(await polling.store.holds()).toMatchObject([{ reason: 'empty', verdict: null }])
  })

  test('accept of an empty list removes everything, also where no fetch by id ever worked', async () => {
    await using polling = await baselined(3)
    polling.platform.shipments = []
    await polling.pass()
    await judgeHold(polling.store, { account: 'acme', resource: 'shipment' }, 'accept')
    expect(typesOf(await polling.pass())).toEqual(['shipment.removed', 'shipment.removed', 'shipment.removed'])
    expect(await polling.pass()).toEqual([])
  })

  test("accept of another account's list creates what it shows and removes what it does not", async () => {
    await using polling = await baselined(4)
    polling.platform.shipments = [shipment('OTHER-1'), shipment('OTHER-2')]
    await polling.pass()
    await judgeHold(polling.store, { account: 'acme', resource: 'shipment' }, 'accept')
    const rung = await polling.pass()
    expect(typesOf(rung).toSorted()).toEqual([
      'shipment.created',
      'shipment.created',
      'shipment.removed',
      'shipment.removed',
      'shipment.removed',
      'shipment.removed',
    ])
    expect(await polling.pass()).toEqual([])
  })

  test.each(['too_many', 'empty', 'other_account'] as const)(
    'reject of %s forgets the hold; if it is still so after two more passes it rings anew',
    async (reason) => {
      await using polling = await baselined(20)
      if (reason === 'too_many') polling.platform.shipments = polling.platform.shipments.slice(10)
      else polling.platform.shipments = reason === 'empty' ? [] : [shipment('OTHER-1')]
      if (reason === 'too_many') await polling.pass()
      expect(typesOf(await polling.pass())).toEqual(['account.removals_held'])
      expect(await judgeHold(polling.store, { account: 'acme', resource: 'shipment' }, 'reject')).toBe(true)
      expect(await polling.store.holds()).toEqual([])
      expect(await judgeHold(polling.store, { account: 'acme', resource: 'shipment' }, 'reject')).toBe(false)
      expect(await polling.pass()).toEqual([])
      expect((await polling.pass()).map(({ type, extras }) => [type, extras.reason])).toEqual([
        ['account.removals_held', reason],
      ])
      expect(await polling.store.holds()).toMatchObject([{ reason }])
    },
  )

  test('without a hold there is nothing to judge', async () => {
    await using polling = await baselined()
    expect(await judgeHold(polling.store, { account: 'acme', resource: 'shipment' }, 'accept')).toBe(false)
  })
})
