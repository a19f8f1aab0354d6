import Sqlite from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import type { RecordFilters } from '../../src/store/ports/record-query-port.ts'
import { RECORD_SORTS } from '../../src/model/record-order.ts'
import { formatInstant } from '../../src/model/instant.ts'
import { StoreFile } from '../support/store-file.ts'
import { attempt, batch, sampleEvent, sampleState, T, write } from './samples.ts'

/**
 * Tables that stay small, however many records and events there are: a sum is of all arrivals of a carrier on a lane, and the queue
 * of the search's index empties within seconds; until then all of it is looked through, so that whatever waits there is found.
 */
const SMALL = new Set([
  'accounts',
  'arrival_sums',
  'endpoints',
  'event_kinds',
  'search_queue',
  'snapshot_runs',
  'steady_time',
  'tallies',
])
const DAY = 86_400_000
const ASKED = { account: 'acme', limit: 2 } as const
/** What is asked for somebody who sees a part. */
const NARROWED = { accounts: ['acme', 'beta'], limit: 2 } as const
const RETRIED = { subscription: 'main', states: ['pending', 'exhausted', 'held', 'discarded'], since: 0 } as const

/** The statements of SQLite that `work` is the first to ask. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
  try {
    await work()
    return prepare.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes('SELECT'))
  } finally {
    prepare.mockRestore()
  }
}

/** How SQLite goes about a statement, line by line. */
function planOf(file: StoreFile, sql: string): readonly string[] {
  const db = new Sqlite(file.path, { readonly: true })
  try {
    const names = [...sql.matchAll(/:([a-z]\w*)/gi)].map(([, name = '']) => [name, null])
    const values = names.length > 0 ? [Object.fromEntries(names)] : Array.from(sql.matchAll(/\?/g), () => null)
    return db
      .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail)
  } finally {
    db.close()
  }
}

/** What a plan reads as a whole, but for small tables, lists of values, and what is read by an index within it. */
function wholesIn(plan: readonly string[]): readonly string[] {
  const within = new Set(plan.flatMap((line) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(line)?.[1] ?? []))
  return plan.filter((line) => {
    const table = /^SCAN (\w+)/.exec(line)?.[1] ?? ''
    return table !== '' && !line.includes('VIRTUAL TABLE') && !SMALL.has(table) && !within.has(table)
  })
}

/** One shipment whose date has moved, which rang at one endpoint and failed. */
async function fill({ store }: StoreFile): Promise<void> {
  const subject = { resource: 'shipment', id: 'SHP-1', version: 1, previousEventId: null } as const
  const [first, now] = [formatInstant(T), formatInstant(T + DAY)]
  const change = { milestone: 'arrival', from: { date: first, status: null }, to: { date: now, status: null } }
  const moved = { ...change, first: { date: first, seen_at: first }, revision: 1 }
  const events = [sampleEvent('evt_1', { type: 'shipment.eta_changed', subject, extras: { date_change: moved } })]
  const deliveries = [{ eventId: 'evt_1', subscription: 'main' }]
  await store.syncSubscriptions([{ name: 'main', enabled: true }], T)
  await store.commit(batch({ records: [write(sampleState('SHP-1'))], events, deliveries }))
  const claimed = await store.claim({ owner: 'one', now: T + 1_000, leaseMs: 60_000, slots: new Map([['main', 1]]) })
  const result = { kind: 'retry', at: T + 60_000 } as const
  await store.settle(
    'one',
    claimed.map(({ id }) => ({ id, attempt: attempt(), result })),
  )
}

async function askPages({ store }: StoreFile): Promise<void> {
  for (const oldestFirst of [false, true]) {
    await store.eventPage({ limit: 2, oldestFirst })
    await store.eventPage({ ...ASKED, oldestFirst })
    await store.eventPage({ limit: 2, subjectId: 'SHP-1', oldestFirst })
    await store.deliveryPage({ limit: 2, oldestFirst })
    await store.deliveryPage({ ...ASKED, oldestFirst })
    await store.deliveryPage({ limit: 2, eventId: 'evt_1', oldestFirst })
    await store.deliveryPage({ limit: 2, subscription: 'main', oldestFirst })
    await store.deliveryPage({ limit: 2, subscription: 'main', cause: 'answered 500', oldestFirst })
  }
  await store.deliveryPage({ limit: 2, since: T, undelivered: { now: T + 1_000 } })
  await store.eventPage(NARROWED)
  await store.deliveryPage({ ...NARROWED, subscriptions: ['main', 'side'] })
  await store.recordPage({ ...NARROWED, resource: 'shipment' })
  await store.slips({ ...NARROWED, since: 0 })
  await store.exceptionPage({ ...NARROWED, now: T })
  await store.exceptionPage({ ...NARROWED, now: T, states: ['open'] })
  await store.exceptionPage({ ...NARROWED, now: T, states: ['open'], heaviestFirst: true })
  await store.exceptionPage({ ...NARROWED, now: T, states: ['acknowledged'] })
  await store.quarantine({ limit: 2 })
  await store.quarantine(ASKED)
  await store.recordPage({ limit: 2, resource: 'shipment' })
  await store.recordPage({ ...ASKED, resource: 'shipment', status: 'sailing' })
  await store.recordPage({ limit: 2, resource: 'shipment', q: 'shp' })
  await store.recordPage({ limit: 2, resource: 'invoice', due: () => ({ from: null, to: null }) })
  await store.slips({ since: 0, limit: 2 })
}

/** Lists of shipments in each order; where few rows are looked at they are sorted as they are read. */
async function askSorted({ store }: StoreFile, filters: RecordFilters): Promise<void> {
  for (const by of RECORD_SORTS) {
    for (const isDescending of [false, true])
      await store.recordPage({ limit: 2, resource: 'shipment', order: { by, isDescending }, ...filters })
  }
}

async function askOthers({ store }: StoreFile): Promise<void> {
  for (const name of ['#1', 'evt_1', 'evt']) await store.eventsNamed(name, { limit: 2 })
  await store.logPage({ since: 0, after: 0, limit: 2 })
  await store.eventHours(T)
  await store.failures({ account: 'acme', since: 0 })
  await store.failures({ accounts: ['acme', 'beta'], subscriptions: ['main'], since: 0 })
  await store.retryable({ ...RETRIED, after: null, upTo: 9 })
  await store.countRetryable({ ...RETRIED, after: null })
  await store.countRetryable({ ...RETRIED, after: null, account: 'acme', cause: 'answered 500' })
  await store.recordDetail({ account: 'acme', resource: 'shipment', id: 'SHP-1' })
  await store.story('evt_1')
  await store.changesSeen('acme', { most: 2, since: 0 })
  await store.endpoints()
  await store.reliability({ by: 'carrier', since: 0 })
  await store.pastArrivals({ account: 'acme', by: 'carrier', key: 'One', limit: 2 })
  await store.pastArrivals({ account: 'acme', by: 'lane', key: 'CNSHA-NLRTM', limit: 2 })
}

test('a statement that reads the log as a whole is found', async () => {
  await using file = new StoreFile()
  expect(wholesIn(planOf(file, 'SELECT ref FROM events WHERE cause = :cause'))).toEqual(['SCAN events'])
})

test('no report of a file reads as a whole what grows, and no page sorts what is behind it', async () => {
  await using file = new StoreFile()
  await fill(file)
  const pages = await statementsOf(() => askPages(file))
  const others = await statementsOf(() => askOthers(file))
  const walked = await statementsOf(() => askSorted(file, { mode: 'ocean', open: true }))
  const days = { from: 0, before: T }
  const few = await statementsOf(async () => {
    for (const filters of [{ lane: 'CNSHA → FRFOS' }, { carrier: 'CMA' }, { arrives: days }])
      await askSorted(file, filters)
  })
  expect([pages.length > 30, others.length > 20, walked.length > 6, few.length > 20]).toEqual([true, true, true, true])
  expect([...walked, ...few].filter((sql) => wholesIn(planOf(file, sql)).length > 0)).toEqual([])
  expect(walked.filter((sql) => planOf(file, sql).includes('USE TEMP B-TREE FOR ORDER BY'))).toEqual([])
  expect([...pages, ...others].filter((sql) => wholesIn(planOf(file, sql)).length > 0)).toEqual([])
  const ranges = pages.filter((sql) => sql.includes('AS key'))
  expect(ranges.filter((sql) => planOf(file, sql).includes('USE TEMP B-TREE FOR ORDER BY'))).toEqual([])
})
