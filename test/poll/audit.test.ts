import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { ListSampler } from '../../src/poll/audit/list-sampler.ts'
import { Audited, seeded } from './audited.ts'
import { idOf, NO_CLOCK_IS_SET, Polling, shipment, shipments, WATCH } from './polling.ts'
import { asked, MINUTE } from './spare-reading.ts'

const ITEM = /^shipment\//

function arrival(day: number): JsonObject {
  return { main_tracking_dates: { arrival_date: { date: `2026-12-${day}T08:00:00Z`, status: 'estimated' } } }
}

describe('a list that shows an old row', () => {
  test('rings once, changes no record, and is told to be well again, over restarts too', async () => {
    await using audited = new Audited(4)
    audited.show('SHP-3', { status: 'in_progress' }, { stale: true })
    await audited.rounds(3, 8)
    expect(await audited.rung()).toEqual(['account.list_stale'])
    const event = (await audited.polling.events()).at(-1)
    expect(event?.extras).toMatchObject({ resource: 'shipments', differed: 1, sample: ['SHP-3'] })
    const { store } = audited.polling
    const record = (await store.records('acme', 'shipment', ['SHP-3'])).get('SHP-3')
    expect(record).toMatchObject({ version: 0, seen: { status: 'booked' }, reported: { status: 'booked' } })
    await audited.restart()
    await audited.rounds(4, 20)
    expect(await audited.rung()).toHaveLength(1)
    audited.polling.platform.found.clear()
    await audited.rounds(3, 20)
    expect((await audited.rung()).slice(1)).toEqual(['account.recovered'])
    expect((await audited.polling.events()).at(-1)?.extras).toMatchObject({ was: 'list_stale', resource: 'shipments' })
  })

  test('is found where nothing but a date is old, once fields are known to be written alike', async () => {
    await using audited = new Audited(20)
    for (let nth = 1; nth <= 20; nth += 1) audited.show(`SHP-${nth}`, arrival(10))
    await audited.rounds(2, 15)
    audited.show('SHP-7', arrival(11), { stale: true })
    await audited.rounds(4, 30)
    expect(await audited.rung()).toEqual(['account.list_stale'])
  })

  test('is no other way to write a field, however many rows are old', { tags: 'long' }, async () => {
    await using audited = new Audited(20)
    for (let nth = 1; nth <= 20; nth += 1) audited.show(`SHP-${nth}`, arrival(10))
    await audited.rounds(1, 10)
    for (let nth = 1; nth <= 20; nth += 1) audited.show(`SHP-${nth}`, arrival(11), { stale: true })
    await audited.rounds(6, 25)
    expect(await audited.rung()).toEqual(['account.list_stale'])
    await audited.restart()
    await audited.rounds(6, 25)
    expect(await audited.rung()).toEqual(['account.list_stale'])
  })

  test('is found though a cache answers for it, and says so', async () => {
    await using audited = new Audited(4)
    await audited.pass()
    const { clock, platform } = audited.polling
    const copiedAt = clock.now()
    for (const id of ['SHP-1', 'SHP-2', 'SHP-3', 'SHP-4']) audited.show(id, { status: 'finished' }, { stale: true })
    platform.ageMs = (what) => (what.startsWith('shipments') ? clock.now() - copiedAt : 0)
    await audited.rounds(2, 4)
    expect(await audited.rung()).toEqual([])
    await audited.rounds(2, 4)
    expect(await audited.rung()).toEqual(['account.list_stale'])
  })
})

describe('no difference', () => {
  test('is what only one of list and fetch shows, or what the two write in two ways', { tags: 'long' }, async () => {
    await using audited = new Audited(20)
    const { platform } = audited.polling
    platform.shipments = platform.shipments.map((each, nth) => ({ ...each, name: 'A…', position: nth }))
    for (let nth = 1; nth <= 20; nth += 1) {
      const rounded = { amount: nth % 3 === 0 ? nth : nth + 0.004, currency: 'EUR' }
      platform.shipments = platform.shipments.map((each, at) =>
        at + 1 === nth ? { ...each, commercial_value: { ...rounded, amount: nth } } : each,
      )
      const fields = { name: `A whole name ${nth}`, notes: 'n', cargo: { total_teus: nth }, commercial_value: rounded }
      audited.show(`SHP-${nth}`, fields, { stale: true })
    }
    await audited.rounds(10, 30)
    expect(await audited.audit()).toMatchObject({ sampled: 300, differed: 0, episode: null })
  })

  test('is what changes between the read of the list and the fetch', { tags: 'long' }, async () => {
    await using audited = new Audited(6)
    for (let round = 0; round < 40; round += 1) {
      await audited.pass()
      for (const nth of [1 + (round % 6), 1 + (round % 4)]) {
        const status = ['draft', 'booked', 'finished'][round % 3] ?? ''
        audited.show(`SHP-${nth}`, { ...arrival(10 + (round % 15)), status })
      }
      await audited.look(6)
    }
    expect(await audited.rung()).toEqual([])
    const { sampled = 0, ...audit } = (await audited.audit()) ?? {}
    expect(audit).toMatchObject({ differed: 0, episode: null })
    expect(sampled).toBeGreaterThan(100)
  })

  test.each([false, true])(
    'is a list of which a cache shows copies of five minutes (it says so: %s)',
    async (saysSo) => {
      await using audited = new Audited(6)
      const { clock, platform } = audited.polling
      audited.passMs = 2 * MINUTE
      await audited.pass()
      let [copy, copiedAt] = [platform.shipments, clock.now()]
      platform.ageMs = (what) => (saysSo && what.startsWith('shipments') ? clock.now() - copiedAt : 0)
      platform.onRequest = (_, at) => {
        if (at - copiedAt < 5 * MINUTE) return
        copy = copy.map((each) => platform.found.get(`shipment/${idOf(each)}`) ?? each)
        ;[platform.shipments, copiedAt] = [copy, at]
      }
      for (let round = 0; round < 60; round += 1) {
        const status = ['in_progress', 'finished', 'booked'][Math.floor(round / 12) % 3] ?? ''
        if (round % 4 === 0) audited.show(`SHP-${1 + (round % 6)}`, { status }, { stale: true })
        await audited.rounds(1, 4)
      }
      expect([await audited.rung(), (await audited.audit())?.differed]).toEqual([[], 0])
    },
  )

  test('is a row that the list cannot show', { tags: 'long' }, async () => {
    await using audited = new Audited(120)
    await audited.pass()
    audited.show('SHP-111', { status: 'finished' }, { stale: true })
    await audited.look(180)
    audited.polling.platform.trouble = (_, asked) =>
      asked.id === null && asked.skip <= 110 && asked.skip + asked.take > 110 ? { kind: 'broken' } : null
    await audited.rounds(5, 5)
    expect(await audited.audit()).toMatchObject({ differed: 0, episode: null })
  })

  test('is what is ignored', async () => {
    const shipment = { ...WATCH.shipments, ignore: ['/status'] }
    await using audited = new Audited(2, { watch: { shipments: shipment } })
    audited.show('SHP-1', { status: 'in_progress' }, { stale: true })
    await audited.rounds(3, 10)
    expect(await audited.audit()).toMatchObject({ sampled: 30, differed: 0 })
  })

  test.each(['broken', 'forbidden', 'unauthorized', 'garbled', 'unreachable', 'rejected'] as const)(
    'and no failure is a fetch that is %s: after three nothing is asked for hours',
    async (kind) => {
      await using audited = new Audited(4)
      await audited.pass()
      audited.polling.platform.trouble = (what) => (ITEM.test(what) ? { kind } : null)
      await audited.rounds(3, 20)
      expect(asked(audited.polling, ITEM)).toHaveLength(3)
      expect([await audited.rung(), await audited.audit()]).toEqual([[], null])
    },
  )

  test('is a record that a fetch does not find', async () => {
    await using audited = new Audited(10)
    audited.polling.platform.hides = (what) => what === 'shipment/SHP-8'
    await audited.rounds(4, 20)
    expect(await audited.audit()).toMatchObject({ differed: 0, episode: null })
    expect((await audited.audit())?.sampled).toBeGreaterThan(50)
  })
})

test('every record of a list is as likely to be drawn as any other', { tags: 'long' }, async () => {
  await using audited = new Audited(250)
  audited.polling.platform.mostRows = 40
  await audited.pass()
  const sampler = new ListSampler({ ...audited.polling.context, random: seeded(3) }, 'shipment')
  const counts = new Map<string | null, number>()
  for (let draws = 0; draws < 5_000; draws += 1) {
    const id = await sampler.draw()
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  expect(counts.size).toBe(250)
  // Of 20 expected draws each: chi-square of 249 degrees of freedom stays below this in 999 of 1,000 worlds.
  expect([...counts.values()].reduce((sum, count) => sum + (count - 20) ** 2 / 20, 0)).toBeLessThan(322)
})

describe('an audit', () => {
  /** An audit in some seven minutes. */
  const budget = { requests: 10, perMs: MINUTE, concurrency: 2, share: 1 }
  const settings: Partial<AccountSettings> = {
    audit: true,
    budget,
    watch: { shipments: { ...WATCH.shipments, everyMs: 10 * MINUTE } },
  }

  async function baselined(more: Partial<AccountSettings> = {}): Promise<Polling> {
    const polling = new Polling({ ...settings, ...more }, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(4)
    await polling.pass()
    polling.random = seeded(2)
    return polling
  }

  test('runs beside polling, takes at most two percent of the budget, and finds what is stale', async () => {
    await using polling = await baselined()
    for (const id of ['SHP-1', 'SHP-2', 'SHP-3'])
      polling.platform.found.set(`shipment/${id}`, shipment(id, { status: 'in_progress' }))
    for (let restart = 0; restart < 2; restart += 1) {
      await polling.run(40 * MINUTE)
      await polling.restart()
    }
    const fetches = asked(polling, ITEM).length
    expect(fetches).toBeLessThanOrEqual(0.02 * 10 * 2 * 40)
    expect(fetches).toBeGreaterThan(7)
    expect((await polling.types()).filter((type) => type !== 'account.baseline_completed')).toEqual([
      'account.list_stale',
    ])
  })

  test(
    'that is turned off ends in silence what it found, and finds it again once it is turned on',
    { tags: 'long' },
    async () => {
      await using polling = await baselined()
      for (const id of ['SHP-1', 'SHP-2', 'SHP-3', 'SHP-4'])
        polling.platform.found.set(`shipment/${id}`, shipment(id, { status: 'in_progress' }))
      const rung: number[] = []
      for (const audit of [true, false, true]) {
        await polling.restart({ ...settings, audit })
        await polling.run(audit ? 40 * MINUTE : MINUTE)
        rung.push((await polling.types()).filter((type) => type === 'account.list_stale').length)
        expect((await polling.store.listState('acme', 'shipment')).audit?.episode === null).toBe(!audit)
      }
      expect([rung, await polling.types()]).toEqual([[1, 1, 2], expect.not.arrayContaining(['account.recovered'])])
    },
  )

  test('asks nothing where it is turned off, or the budget does not cover the promises', async () => {
    await using off = await baselined({ audit: false })
    await off.run(12 * MINUTE)
    await using over = await baselined({ watch: { shipments: { ...WATCH.shipments, everyMs: 5_000 } } })
    await over.run(6 * MINUTE)
    expect([asked(off, ITEM), asked(over, ITEM)]).toEqual([[], []])
  })
})
