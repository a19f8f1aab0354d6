import { expect, test, vi } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import type { ExpectationRule } from '../../src/model/expectation.ts'
import { subscription } from '../support/subscription.ts'
import { onlyShipments } from './known-shipments.ts'
import { Polling, shipment, shipments, WATCH, WATCH_MORE } from './polling.ts'

const SHIPMENTS = 25
const HEARERS = Array.from({ length: 200 }, (_, n) =>
  subscription(`hears${n}`, { events: ['shipment.*', 'expectation.*'] }),
)
/** They hear nothing of the account, so they count for nothing. */
const OTHERS = Array.from({ length: 200 }, (_, n) => subscription(`other${n}`, { accounts: ['another'] }))

async function heard(settings: Partial<AccountSettings> = onlyShipments): Promise<Polling> {
  const polling = new Polling(settings)
  polling.subscriptions = [...HEARERS, ...OTHERS]
  polling.platform.shipments = shipments(SHIPMENTS)
  await polling.pass()
  return polling
}

/** How many deliveries each commit makes from now on, where it makes any. */
function deliveriesMade(polling: Polling): readonly number[] {
  const made: number[] = []
  const commit = polling.store.commit.bind(polling.store)
  vi.spyOn(polling.store, 'commit').mockImplementation(async (batch) => {
    if (batch.deliveries.length > 0) made.push(batch.deliveries.length)
    await commit(batch)
  })
  return made
}

test('what hundreds of subscriptions hear of is committed few records at a time, and each change rings once', async () => {
  await using polling = await heard()
  expect(await polling.types()).toEqual(['account.baseline_completed'])
  const made = deliveriesMade(polling)
  polling.platform.shipments = shipments(SHIPMENTS).map((each) => ({ ...each, name: 'another' }))
  expect(await polling.pass()).toHaveLength(SHIPMENTS)
  expect(made).toEqual([2_000, 2_000, 1_000])
  for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
  expect(polling.platform.unchanged.length).toBeGreaterThan(0)
})

/** A pass whose process ends before the third commit that makes deliveries. */
async function dieAmid(polling: Polling): Promise<void> {
  const commit = polling.store.commit.bind(polling.store)
  let left = 2
  vi.spyOn(polling.store, 'commit').mockImplementation(async (batch) => {
    if (batch.deliveries.length > 0 && (left -= 1) < 0) throw new Error('The process ends.')
    await commit(batch)
  })
  polling.platform.shipments = shipments(SHIPMENTS).map((each) => ({ ...each, name: 'another' }))
  await polling.clock.advance(1_000)
  const ended = new AbortController().signal
  await expect(polling.listPoller('shipments').pass(ended)).rejects.toThrow('The process ends.')
  expect(await polling.types()).toHaveLength(1 + 20)
  await polling.restart()
}

test('a process that ends amid such a page goes on with the rest', async () => {
  await using polling = await heard()
  await dieAmid(polling)
  await polling.pass()
  const rung = (await polling.events()).slice(1).map(({ subject }) => subject.id)
  expect([rung.length, new Set(rung).size]).toEqual([SHIPMENTS, SHIPMENTS])
})

test('a page that shows again what it had before such an end is not taken for the known one', async () => {
  await using polling = await heard()
  await dieAmid(polling)
  const rung = (await polling.events()).slice(1).map(({ subject }) => subject.id)
  polling.platform.shipments = shipments(SHIPMENTS)
  expect((await polling.pass()).map(({ subject }) => subject.id)).toEqual(rung)
  expect(await polling.pass()).toEqual([])
})

test('what a page shows is judged of all of it: a field that is new to the interface, and ids that it shows twice', async () => {
  await using polling = await heard()
  polling.platform.shipments = shipments(SHIPMENTS).map((each) => ({ ...each, carbon_kg: 12 }))
  expect((await polling.pass()).map(({ type }) => type)).toEqual(['account.schema_drift'])
  const shown = polling.platform.shipments
  const others = shown.slice(0, 12).map((each) => ({ ...each, name: 'another' }))
  polling.platform.shipments = [...shown, ...others]
  expect((await polling.pass()).map(({ type }) => type)).toEqual(['account.record_rejected'])
  expect(await polling.pass()).toEqual([])
})

const LIKELY = { kind: 'likely', expected: 0.5, waitedMs: 60_000 } as const
const READ = { skip: 0, why: LIKELY, signal: new AbortController().signal }

test('a page beside the passes is committed so, too', async () => {
  await using polling = await heard()
  const made = deliveriesMade(polling)
  polling.platform.shipments = shipments(SHIPMENTS).map((each) => ({ ...each, name: 'another' }))
  expect(await polling.listPoller('shipments').readSparePage(READ)).toMatchObject({
    events: SHIPMENTS,
    changed: SHIPMENTS,
  })
  expect(made).toEqual([2_000, 2_000, 1_000])
  expect(await polling.pass()).toEqual([])
})

test('what is committed ahead of a page beside the passes counts for no pass: a miss stays, and what is new need not be met', async () => {
  await using polling = await heard()
  const every = shipments(SHIPMENTS).map((each) => ({ ...each, name: 'another' }))
  polling.platform.shipments.shift()
  await polling.pass()
  polling.platform.shipments = [...every, ...Array.from({ length: SHIPMENTS }, (_, n) => shipment(`NEW-${n}`))]
  await polling.clock.advance(1_000)
  expect(await polling.listPoller('shipments').readSparePage(READ)).toMatchObject({ changed: 2 * SHIPMENTS })
  const { pass } = await polling.store.listState('acme', 'shipment')
  expect(await polling.store.missing('acme', 'shipment', pass)).toMatchObject([{ id: 'SHP-1', misses: 1 }])
  expect(await polling.pass()).toEqual([])
})

test('expectations that fall due together ring so, too', async () => {
  const rule: ExpectationRule = {
    name: 'packing-list',
    about: 'shipment',
    when: 'true',
    by: 'before(shipment.main_tracking_dates.departure_date, "3d")',
    until: 'documents.exists(d, d.type == "packing_list")',
    severity: 'warning',
  }
  const { shipments: every } = WATCH
  await using polling = new Polling({
    expectations: [rule],
    watch: { shipments: every, documents: WATCH_MORE.documents },
  })
  polling.subscriptions = HEARERS
  const departure = { date: '2026-11-24T08:10:00Z', status: 'planned' }
  polling.platform.shipments = Array.from({ length: SHIPMENTS }, (_, n) =>
    shipment(`SHP-${n + 1}`, { main_tracking_dates: { departure_date: departure } }),
  )
  await polling.pass()
  const made = deliveriesMade(polling)
  await polling.run(15 * 60_000)
  const missed = (await polling.types()).filter((type) => type === 'expectation.missed')
  expect(missed).toHaveLength(SHIPMENTS)
  expect(made).toEqual([2_000, 2_000, 1_000])
})
