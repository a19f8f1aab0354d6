import { describe, expect, test } from 'vitest'
import { recordRow } from '../support/record-row.ts'
import { Polling, shipment, shipments, trackingOf, WATCH } from './polling.ts'
import { batch } from '../store/samples.ts'
import { emitted } from './emitted.ts'
import { onlyShipments } from './known-shipments.ts'

/** Three pages of ten known shipments each, unless said otherwise. */
async function baselined(count = 30, mostRows = 10): Promise<Polling> {
  const polling = new Polling(onlyShipments)
  polling.platform.mostRows = mostRows
  polling.platform.shipments = shipments(count)
  await polling.pass()
  return polling
}

/** What the pass read without looking into it. */
async function passOver(polling: Polling): Promise<readonly string[]> {
  polling.platform.unchanged.length = 0
  expect(await polling.pass()).toEqual([])
  return [...polling.platform.unchanged]
}

const ALL = ['shipments?skip=0', 'shipments?skip=10', 'shipments?skip=20']

describe('a page that is answered as it was', () => {
  test('is not looked into, and all on it count as read', async () => {
    await using polling = await baselined()
    expect(await passOver(polling)).toEqual(ALL)
    const at = polling.clock.now()
    const [list] = (await polling.store.accounts(at))[0]?.lists ?? []
    expect(list).toMatchObject({ records: 30, oldestReadAt: at, newestReadAt: at })
    expect(await polling.store.missing('acme', 'shipment', list?.pass ?? 0)).toHaveLength(0)
  })

  test('is known after a restart, too, and looked into once it is judged by other rules', async () => {
    await using polling = await baselined()
    await polling.restart()
    expect(await passOver(polling)).toEqual(ALL)
    await polling.restart({ watch: { shipments: { ...WATCH.shipments, ignore: ['/name'] } } })
    expect(await passOver(polling)).toEqual([])
    expect(await passOver(polling)).toEqual(ALL)
  })

  test('is looked into where one record of it has changed, beside others that are not', async () => {
    await using polling = await baselined()
    polling.platform.shipments[15] = shipment('SHP-16', { name: 'other' })
    polling.platform.unchanged.length = 0
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'SHP-16']])
    expect(polling.platform.unchanged).toEqual(['shipments?skip=0', 'shipments?skip=20'])
    expect(await passOver(polling)).toEqual(ALL)
  })

  test('A→B→A: what another page showed of one of its records is taken back by it', async () => {
    await using polling = await baselined()
    const { platform } = polling
    let hasMoved = false
    platform.retouch = (page) => {
      const rows = page.rows.filter(({ id }) => !hasMoved || id !== 'SHP-1')
      if (!page.rows.some(({ id }) => id === 'SHP-11')) return { ...page, rows }
      hasMoved = true
      return { ...page, rows: [...rows.slice(1), recordRow('SHP-1', shipment('SHP-1', { name: 'B' }))] }
    }
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'SHP-1']])
    platform.retouch = (page) => page
    platform.unchanged.length = 0
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'SHP-1']])
    expect(platform.unchanged).toEqual(['shipments?skip=20'])
  })

  test('a record that leaves the list is missed, and removed once two passes missed it', async () => {
    await using polling = await baselined()
    polling.platform.shipments.pop()
    expect(await polling.pass()).toEqual([])
    expect((await polling.store.known('acme', 'shipment', ['SHP-30'])).get('SHP-30')).toMatchObject({ misses: 1 })
    polling.platform.unchanged.length = 0
    expect(emitted(await polling.pass())).toEqual([['shipment.removed', 'SHP-30']])
    expect(polling.platform.unchanged).toEqual(ALL)
  })

  test('a record that comes back with the very page it left is restored', async () => {
    await using polling = await baselined()
    const gone = polling.platform.shipments.splice(29, 1)
    await polling.pass()
    await polling.pass()
    polling.platform.shipments.push(...gone)
    expect(emitted(await polling.pass())).toEqual([['shipment.restored', 'SHP-30']])
    expect(await passOver(polling)).toEqual(ALL)
  })

  test('a page that returns after its removals were held takes its records back', async () => {
    await using polling = await baselined()
    const held = polling.platform.shipments.splice(10, 20)
    expect(emitted(await polling.pass())).toEqual([])
    expect(emitted(await polling.pass())).toEqual([['account.removals_held', 'acme']])
    polling.platform.shipments.push(...held)
    expect(await polling.pass()).toEqual([])
    expect((await polling.store.doubts('acme', 'shipment')).hold).toBeNull()
    expect((await polling.store.known('acme', 'shipment', ['SHP-30'])).get('SHP-30')).toMatchObject({ misses: 0 })
    expect(await passOver(polling)).toEqual(ALL)
  })

  test('an empty list is held, and its pages are known when it is back', async () => {
    await using polling = await baselined()
    const all = polling.platform.shipments
    polling.platform.shipments = []
    expect(emitted(await polling.pass())).toEqual([['account.removals_held', 'acme']])
    polling.platform.shipments = all
    expect(await polling.pass()).toEqual([])
    expect((await polling.store.doubts('acme', 'shipment')).hold).toBeNull()
    expect(await passOver(polling)).toEqual(ALL)
  })

  test('a page of newcomers is withheld while the list may be another account’s', async () => {
    await using polling = await baselined()
    const { platform } = polling
    const own = platform.shipments
    const foreign = Array.from({ length: 10 }, (_, index) => shipment(`X-${index}`))
    platform.shipments = [...foreign, ...own.slice(10, 11)]
    await polling.pass()
    expect(await polling.store.known('acme', 'shipment', ['X-0'])).toEqual(new Map())
    expect(await polling.store.page('acme', 'shipment', 0)).toMatchObject({ validator: null })
    platform.shipments = [...foreign, ...own]
    expect(emitted(await polling.pass())).toHaveLength(10)
  })

  test('what is known of a page is enough to recognise the account by', async () => {
    await using polling = await baselined()
    const { platform } = polling
    platform.shipments = [...platform.shipments, shipment('NEW')]
    platform.unchanged.length = 0
    expect(emitted(await polling.pass())).toEqual([['shipment.created', 'NEW']])
    expect(platform.unchanged).toEqual(ALL)
  })

  test('rows that cannot be understood are looked at in every pass', async () => {
    await using polling = await baselined()
    polling.platform.rejects = (id) => id === 'SHP-5'
    expect(emitted(await polling.pass())).toEqual([['account.record_rejected', 'acme']])
    expect(await passOver(polling)).toEqual(ALL.slice(1))
    polling.platform.rejects = () => false
    expect(await passOver(polling)).toEqual(ALL.slice(1))
    polling.platform.rejects = (id) => id === 'SHP-5'
    expect(emitted(await polling.pass())).toEqual([['account.record_rejected', 'acme']])
  })

  test('a row that two pages show is looked at on both, pass by pass', async () => {
    await using polling = await baselined()
    polling.platform.shipments.splice(15, 0, shipment('SHP-1', { name: 'a twin' }))
    for (let pass = 0; pass < 3; pass += 1) await polling.pass()
    expect((await polling.types()).filter((type) => type === 'account.record_rejected')).toHaveLength(1)
    const rung = (await polling.events()).length
    expect(await passOver(polling)).not.toContain('shipments?skip=0')
    expect(await polling.events()).toHaveLength(rung)
  })

  test('an answer is read again where its page was told of while it was under way', async () => {
    await using polling = await baselined()
    let isFirst = true
    polling.platform.afterEach = (what) => {
      if (what !== 'shipments?skip=10' || !isFirst) return
      isFirst = false
      void polling.store.commit(batch({ met: { resource: 'shipment', ids: ['SHP-11'] } }))
    }
    expect(await passOver(polling)).toEqual(ALL)
    expect(polling.platform.asked.filter(({ what }) => what === 'shipments?skip=10')).toHaveLength(3)
    expect(await passOver(polling)).toEqual(ALL)
  })

  test('is written with the count of the next request, before that is sent', async () => {
    await using polling = await baselined()
    const { platform, store } = polling
    const steps: string[] = []
    const commit = store.commit.bind(store)
    store.commit = async (batch) => {
      steps.push(batch.changes.map((change) => (change.kind === 'page' ? change.page.skip : change.kind)).join('+'))
      await commit(batch)
    }
    platform.onRequest = ({ what }) => void steps.push(what)
    expect(await polling.listPoller('shipments').pass(new AbortController().signal)).toMatchObject({ reason: null })
    const inOrder = [ALL[0], '0+requests', ALL[1], '10+requests', ALL[2], '20+requests', 'shipments?skip=30']
    expect(steps.slice(0, inOrder.length)).toEqual(inOrder)
  })

  test('is written where the next request is cut off, and where it waits for the budget', async () => {
    await using polling = await baselined()
    const stop = new AbortController()
    await polling.clock.advance(1_000)
    polling.platform.onRequest = ({ what }) => {
      if (what === ALL[2]) stop.abort()
    }
    await expect(polling.listPoller('shipments').pass(stop.signal)).rejects.toThrow()
    expect((await polling.store.page('acme', 'shipment', 10))?.lastRead.sentAt).toBe(polling.clock.now())
    polling.platform.onRequest = () => undefined
    await polling.restart({ ...onlyShipments, budget: { requests: 10, perMs: 3_600_000, concurrency: 4, share: 1 } })
    await polling.clock.advance(10 * 3_600_000)
    await polling.run(1_800_000)
    const times = await Promise.all(
      [0, 10, 20].map(async (skip) => (await polling.store.page('acme', 'shipment', skip))?.lastRead.sentAt ?? 0),
    )
    const asked = new Set(polling.platform.asked.map(({ what }) => what))
    expect(ALL.filter((what) => !asked.has(what))).toEqual([])
    expect(times.every((at) => at > polling.clock.now() - 3_600_000)).toBe(true)
  })

  test('that cannot be read again leaves its pass incomplete, and none of its records is missed', async () => {
    await using polling = await baselined()
    const asked = (): number => polling.platform.asked.filter(({ what }) => what === ALL[1]).length
    const before = asked()
    polling.platform.afterEach = (what) => {
      if (what === ALL[1] && asked() === before + 1)
        void polling.store.commit(batch({ met: { resource: 'shipment', ids: ['SHP-11'] } }))
    }
    polling.platform.trouble = (what) => (what === ALL[1] && asked() === before + 2 ? { kind: 'broken' } : null)
    await polling.pass()
    expect(polling.lines.findLast(({ msg }) => msg === 'poll.completed')).toMatchObject({ complete: false })
    const known = await polling.store.known('acme', 'shipment', ['SHP-11', 'SHP-12'])
    expect([...known.values()].map(({ misses }) => misses)).toEqual([0, 0])
    polling.platform.trouble = () => null
    expect(await polling.pass()).toEqual([])
  })

  test('rows that shift from page to page are met once each, and none is missed', async () => {
    await using polling = await baselined()
    polling.platform.shipments.unshift(shipment('NEW'))
    expect(emitted(await polling.pass())).toEqual([['shipment.created', 'NEW']])
    polling.platform.shipments.shift()
    expect(await polling.pass()).toEqual([])
    expect(emitted(await polling.pass())).toEqual([['shipment.removed', 'NEW']])
    await polling.pass()
    expect(await passOver(polling)).toEqual(ALL)
  })
})

describe('an item that is answered as it was', () => {
  test('is not looked into, and counts as read', async () => {
    await using polling = new Polling()
    polling.platform.shipments = shipments(1)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
    await polling.pass()
    expect(await passOver(polling)).toContain('tracking/SHP-1')
    const at = polling.clock.now()
    expect((await polling.store.known('acme', 'tracking', ['SHP-1'])).get('SHP-1')?.lastRead.answeredAt).toBe(at)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in', 'Loaded'))
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['tracking.event_added'])
  })

  test('is looked into once it was nothing in between', async () => {
    await using polling = new Polling()
    polling.platform.shipments = shipments(1)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
    await polling.pass()
    polling.platform.hides = (what) => what === 'tracking/SHP-1'
    await polling.pass()
    polling.platform.hides = () => false
    expect(await passOver(polling)).not.toContain('tracking/SHP-1')
    expect(await passOver(polling)).toContain('tracking/SHP-1')
  })
})
