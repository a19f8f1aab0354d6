import { describe, expect, test } from 'vitest'
import type { SparePage } from '../../src/poll/lists/spare-page.ts'
import { Polling, shipment, shipments, WATCH } from './polling.ts'
import { batch } from '../store/samples.ts'

const LIKELY = { kind: 'likely', expected: 0.5, waitedMs: 60_000 } as const
const SETTINGS = { watch: { shipments: WATCH.shipments } }

/** Three pages of ten known shipments each, unless said otherwise. */
async function baselined(count = 30): Promise<Polling> {
  const polling = new Polling(SETTINGS)
  polling.platform.mostRows = 10
  polling.platform.shipments = shipments(count)
  await polling.pass()
  await polling.clock.advance(1_000)
  return polling
}

async function readPage(polling: Polling, skip: number): Promise<SparePage> {
  const page = await polling
    .listPoller('shipments')
    .readSparePage({ skip, why: LIKELY, signal: new AbortController().signal })
  await polling.clock.advance(1_000)
  return page
}

async function known(polling: Polling, id: string) {
  return (await polling.store.known('acme', 'shipment', [id])).get(id)
}

/** What happened since the baseline. */
async function emitted(polling: Polling): Promise<readonly (readonly [string, string])[]> {
  return (await polling.events()).slice(1).map(({ type, subject }) => [type, subject.id] as const)
}

describe('a page that is read beside the passes', () => {
  test('before the baseline teaches nothing, and is not asked for', async () => {
    await using polling = new Polling(SETTINGS)
    expect(await readPage(polling, 0)).toMatchObject({ reason: 'the list has no baseline yet', exchange: null })
    expect(polling.platform.asked).toEqual([])
  })

  test('moves the last read of its records where it is as it was, and counts for no pass', async () => {
    await using polling = await baselined()
    const at = polling.clock.now()
    expect(await readPage(polling, 10)).toMatchObject({ reason: null, events: 0, changed: 0 })
    expect(polling.platform.unchanged).toEqual(['shipments?skip=10'])
    expect((await known(polling, 'SHP-11'))?.lastRead.sentAt).toBe(at)
    expect((await known(polling, 'SHP-1'))?.lastRead.sentAt).toBeLessThan(at)
    expect(await polling.store.missing('acme', 'shipment', 2)).toHaveLength(30)
    expect(await polling.store.pageUnits('acme', 'shipment')).toMatchObject([
      { skip: 0, rows: 10 },
      { skip: 10, rows: 10, lastSentAt: at },
      { skip: 20, rows: 10 },
    ])
  })

  test('rings what has changed, once, and the next pass need not look', async () => {
    await using polling = await baselined()
    polling.platform.shipments[12] = shipment('SHP-13', { name: 'other' })
    expect(await readPage(polling, 10)).toMatchObject({ events: 1, changed: 1 })
    expect(await emitted(polling)).toEqual([['shipment.updated', 'SHP-13']])
    expect(await readPage(polling, 10)).toMatchObject({ events: 0, changed: 0 })
    polling.platform.unchanged.length = 0
    expect(await polling.pass()).toEqual([])
    expect(polling.platform.unchanged).toHaveLength(3)
    const story = await polling.store.story((await polling.events())[1]?.id ?? '')
    expect(story?.provenance).toMatchObject({ by: 'page', exchanges: [{ path: '/v1/shipments?skip=10' }] })
    expect(story?.provenance).not.toHaveProperty('pass')
  })

  test('adds what is new, and removes nothing however often it is read', async () => {
    await using polling = await baselined()
    polling.platform.shipments.splice(10, 1)
    polling.platform.shipments.splice(15, 0, shipment('NEW'))
    for (let read = 0; read < 5; read += 1) await readPage(polling, 10)
    expect(await emitted(polling)).toEqual([['shipment.created', 'NEW']])
    expect(await known(polling, 'SHP-11')).toMatchObject({ misses: 0, removed: false })
    expect(await polling.pass()).toEqual([])
    expect(await known(polling, 'SHP-11')).toMatchObject({ misses: 1 })
    expect(await known(polling, 'NEW')).toMatchObject({ misses: 0 })
  })

  test('takes back no miss that a pass counted', async () => {
    await using polling = await baselined()
    const [gone = shipment('')] = polling.platform.shipments.splice(29, 1)
    await polling.pass()
    polling.platform.shipments.push(gone)
    await readPage(polling, 20)
    expect(await known(polling, 'SHP-30')).toMatchObject({ misses: 1 })
    expect(await polling.pass()).toEqual([])
    expect(await known(polling, 'SHP-30')).toMatchObject({ misses: 0 })
  })

  test('restores what was removed, as a page of a pass does', async () => {
    await using polling = await baselined()
    const [gone = shipment('')] = polling.platform.shipments.splice(29, 1)
    await polling.pass()
    await polling.pass()
    polling.platform.shipments.push(gone)
    await readPage(polling, 20)
    expect((await emitted(polling)).at(-1)).toEqual(['shipment.restored', 'SHP-30'])
    polling.platform.shipments.pop()
    await polling.pass()
    await polling.pass()
    expect((await emitted(polling)).at(-1)).toEqual(['shipment.removed', 'SHP-30'])
  })

  test('learns nothing unknown from a page that shows too little of what it held', async () => {
    await using polling = await baselined()
    const own = polling.platform.shipments
    polling.platform.shipments = shipments(30).map((_, index) => shipment(`X-${index}`))
    expect(await readPage(polling, 10)).toMatchObject({ events: 0 })
    expect(await emitted(polling)).toEqual([])
    polling.platform.shipments[11] = shipment('SHP-1', { name: 'known elsewhere' })
    await readPage(polling, 10)
    expect(await emitted(polling)).toEqual([['shipment.updated', 'SHP-1']])
    polling.platform.shipments = own.with(11, shipment('X-1'))
    await readPage(polling, 10)
    expect(await emitted(polling)).toHaveLength(1)
    await polling.pass()
    expect((await emitted(polling)).slice(1)).toEqual([
      ['shipment.updated', 'SHP-1'],
      ['shipment.created', 'X-1'],
    ])
  })

  test('of a list with fewer than three known records it learns what is there', async () => {
    await using polling = await baselined(2)
    polling.platform.shipments = [shipment('X-1')]
    await readPage(polling, 0)
    expect(await emitted(polling)).toEqual([['shipment.created', 'X-1']])
  })

  test('an empty page, or none, says nothing', async () => {
    await using polling = await baselined()
    polling.platform.shipments = []
    expect(await readPage(polling, 0)).toMatchObject({ reason: 'the page is empty' })
    polling.platform.trouble = () => ({ kind: 'rejected' })
    expect(await readPage(polling, 0)).toMatchObject({ exchange: null, reason: 'the record cannot be used' })
    expect(await known(polling, 'SHP-1')).toMatchObject({ misses: 0 })
    expect(await emitted(polling)).toEqual([])
  })

  test('rings for a row that cannot be understood, once', async () => {
    await using polling = await baselined()
    polling.platform.rejects = (id) => id === 'SHP-12'
    await readPage(polling, 10)
    await readPage(polling, 10)
    expect(await emitted(polling)).toEqual([['account.record_rejected', 'acme']])
    expect(await polling.pass()).toEqual([])
  })

  test('leaves fields that drift to the next pass', async () => {
    await using polling = await baselined()
    polling.platform.shipments = shipments(30).map((record) => ({ ...record, colour: 'red' }))
    expect(await readPage(polling, 10)).toMatchObject({ reason: 'its fields have changed', events: 0 })
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['account.schema_drift'])
  })

  test('leaves ids of two records to the next pass', async () => {
    await using polling = await baselined()
    polling.platform.shipments.splice(15, 0, shipment('SHP-1', { name: 'a twin' }))
    for (let pass = 0; pass < 3; pass += 1) await polling.pass()
    const rung = await emitted(polling)
    await readPage(polling, 10)
    await readPage(polling, 0)
    expect(await emitted(polling)).toEqual(rung)
  })

  test('is left out where a later answer to the same page was applied', async () => {
    await using polling = await baselined()
    const { clock, platform } = polling
    const page = await polling.store.page('acme', 'shipment', 10)
    const later = { sentAt: clock.now(), answeredAt: clock.now() + 600 }
    const write = { kind: 'same', resource: 'shipment', skip: 10, read: later, pass: null, isFresh: true } as const
    platform.shipments[12] = shipment('SHP-13', { name: 'other' })
    platform.afterEach = () => {
      if (page?.validator == null) throw new Error('the page is not known')
      const same = { ...write, known: page, validator: page.validator }
      void polling.store.commit(batch({ page: same }))
    }
    expect(await readPage(polling, 10)).toMatchObject({ events: 0 })
    expect((await known(polling, 'SHP-13'))?.lastRead).toEqual(later)
    expect((await known(polling, 'SHP-12'))?.lastRead).toEqual(later)
  })
})
