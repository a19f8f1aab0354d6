import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/open-store.ts'
import type { ReadBatch, RecordWrite } from '../../src/store/commit-port.ts'
import type { EventDraft } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { newRecordState, type RecordState } from '../../src/model/record-state.ts'
import type { RecordResource } from '../../src/model/resource.ts'
import type { PageWrite } from '../../src/store/list-port.ts'
import type { PollStore } from '../../src/store/ports.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { runs } from '../support/runs.ts'
import { StoreFile } from '../support/store-file.ts'
import { batch, sampleEvent, sampleHold, sampleProvenance, T } from './samples.ts'
import { postgresRows, sqliteRows } from './store-rows.ts'

const MINUTE = 60_000
const IDS = ['A', 'B', 'C', 'D', 'ä\0ö', "O'Neil"] as const
const id = fc.constantFrom(...IDS)
const ids = fc.subarray([...IDS])
const resource = fc.constantFrom('shipment', 'shipment', 'invoice')
const account = fc.constantFrom('acme', 'acme', 'beta')
const maybe = <X>(of: fc.Arbitrary<X>): fc.Arbitrary<X | null> => fc.option(of, { nil: null, freq: 3 })
const date = maybe(fc.nat(3))

const content = fc.record({
  status: fc.constantFrom('booked', 'in_transit', 'delivered'),
  name: fc.constantFrom('Blue chairs', 'Red tables', 'nul \0 and half \ud800'),
  departure: date,
  arrival: date,
})

const writing = fc.record({
  id,
  content: fc.oneof(content, fc.constantFrom('same' as const, 'nothing' as const)),
  reports: fc.boolean(),
  rings: fc.constantFrom('created', 'changed', 'removed', 'none'),
  to: fc.subarray(['erp', 'ops']),
  removed: fc.boolean(),
  read: fc.constantFrom('shown', 'shown', 'hidden', 'none'),
  etag: maybe(fc.constantFrom('"1"', '"2"')),
  phase: maybe(fc.constantFrom('at_sea', 'near_arrival')),
  expects: fc.constantFrom('known', 'known', 'known', 'known', 'known', 'known', 'older'),
})

const commit = fc.record({
  do: fc.constant('commit' as const),
  account,
  resource,
  writes: fc.array(writing, { maxLength: 4 }),
  page: maybe(
    fc.record({
      kind: fc.constantFrom('shown', 'shown', 'same'),
      skip: fc.constantFrom(0, 100),
      pass: fc.boolean(),
      rows: fc.constantFrom(3, 3, 0),
      ids,
      validator: fc.boolean(),
      isFresh: fc.boolean(),
    }),
  ),
  list: maybe(fc.record({ completes: fc.boolean() })),
  unchanged: maybe(fc.record({ ids, etag: maybe(fc.constant('"3"')) })),
  met: maybe(ids),
  missed: maybe(ids),
  learnt: maybe(fc.array(fc.nat(3))),
  quarantine: maybe(fc.record({ remember: ids, forget: ids })),
  hold: fc.constantFrom('set', 'end', 'none', 'none', 'none'),
  account_state: fc.constantFrom('pause', 'ceiling', 'churning', 'lying', 'none', 'none'),
  provenance: fc.boolean(),
  service: fc.boolean(),
  repeats: fc.boolean(),
})

const step = fc.oneof(
  { weight: 8, arbitrary: commit },
  fc.record({ do: fc.constant('startPass' as const), account, resource }),
  fc.record({ do: fc.constant('count' as const), account, amount: fc.nat(5) }),
  fc.record({ do: fc.constant('calendar' as const), account, settings: fc.constantFrom('one', 'two') }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Commit = typeof commit extends fc.Arbitrary<infer S> ? S : never

function recordOf(of: { id: string; content: typeof content extends fc.Arbitrary<infer C> ? C : never }): JsonObject {
  const { arrival, departure, name, status } = of.content
  const at = (day: number | null): JsonObject | null =>
    day === null ? null : { date: `2026-12-0${day + 1}T00:00:00Z`, status: 'estimated' }
  return {
    platform_shipment_id: of.id,
    number: of.id,
    status,
    name,
    main_tracking_dates: { departure_date: at(departure), arrival_date: at(arrival) },
    filling: 'x'.repeat(100),
  }
}

interface Changed {
  readonly write: RecordWrite
  readonly event: EventDraft | null
  readonly to: readonly string[]
}

/** What a commit writes of one record, as it is known to `store`. */
function changeOf(
  each: Commit['writes'][number],
  known: RecordState | undefined,
  of: { account: string; resource: RecordResource; now: number; isPage: boolean },
): Changed {
  const read = { sentAt: of.now - 100, answeredAt: of.now }
  const old = known ?? newRecordState({ resource: of.resource, id: each.id }, { read, atBaseline: true })
  const shown =
    each.content === 'same'
      ? old.seen
      : each.content === 'nothing'
        ? null
        : recordOf({ id: each.id, content: each.content })
  const rings = each.rings !== 'none'
  const version = old.version + (rings ? 1 : 0)
  const eventId = `evt_${of.account}_${of.resource}_${each.id}_${version}`
  const state: RecordState = {
    ...old,
    seen: shown,
    reported: each.reports ? shown : old.reported,
    version,
    lastEventId: rings ? eventId : old.lastEventId,
    removedAt: each.removed && !of.isPage ? of.now : null,
    closedAt: each.phase === null ? null : of.now,
    nextEdgeAt: each.to.length > 1 ? of.now + MINUTE : null,
    lastRead: read,
    memory: each.reports ? {} : { settling: { dueAt: of.now + MINUTE, estimates: {} } },
  }
  const write: RecordWrite = {
    state,
    contentHash: each.read === 'hidden' ? null : `hash of ${JSON.stringify(shown)}`,
    expectedVersion: each.expects === 'older' ? 7 : (known?.version ?? null),
    ...(each.phase !== null && { phase: { phase: each.phase, until: of.now } }),
    ...(each.etag !== null && { etag: each.etag }),
    ...(each.read === 'none' && known !== undefined && { read: 'none' as const }),
  }
  return { write, to: each.to, event: rings ? eventOf(each.rings, { id: eventId, old, state, ...of }) : null }
}

function eventOf(
  rings: string,
  {
    account,
    id,
    now,
    old,
    resource,
    state,
  }: { account: string; id: string; now: number; old: RecordState; resource: RecordResource; state: RecordState },
): EventDraft {
  const dateOf = (record: JsonObject | null) => Object(record)['main_tracking_dates']?.['arrival_date'] ?? null
  const change = {
    milestone: 'arrival',
    from: dateOf(old.seen),
    to: dateOf(state.seen),
    first: { date: '2026-12-02T00:00:00Z', seen_at: new Date(T).toISOString() },
    revision: 2,
  }
  return sampleEvent(id, {
    type: rings === 'changed' ? 'shipment.eta_changed' : rings === 'removed' ? 'shipment.removed' : 'shipment.created',
    account,
    timestamp: now,
    subject: { resource, id: state.id, version: state.version, previousEventId: old.lastEventId },
    object: state.seen,
    before: rings === 'changed' ? old.reported : null,
    extras: rings === 'changed' ? { date_change: change } : {},
  })
}

async function pageOf(
  store: PollStore,
  each: Commit,
  { now, pass }: { now: number; pass: number },
): Promise<PageWrite | undefined> {
  const { account: of, page, resource: kind } = each
  if (page === null) return undefined
  const read = { sentAt: now - 100, answeredAt: now }
  const validator = page.validator ? { contentHash: `page ${page.rows}`, etag: `"${now}"` } : null
  const base = { resource: kind, skip: page.skip, read, pass: page.pass ? pass : null }
  const known = await store.page(of, kind, page.skip)
  if (page.kind === 'same' && known !== null)
    return {
      ...base,
      kind: 'same',
      known,
      validator: validator ?? { contentHash: 'none', etag: null },
      isFresh: page.isFresh,
    }
  const place = {
    rows: page.rows,
    contentHash: `rows ${page.rows}`,
    rules: 'rules',
    certainIdField: null,
    current: pass,
  }
  return { ...base, ...place, kind: 'shown', validator, ids: page.rows === 0 ? [] : page.ids }
}

/** The same for each store, but for the documents that each of them gave. */
async function batchOf(store: PollStore, each: Commit, now: number): Promise<ReadBatch> {
  const { account: of, resource: kind } = each
  const known = await store.records(
    of,
    kind,
    each.writes.map((write) => write.id),
  )
  const changed = each.writes
    .filter((write, index) => each.writes.findIndex((other) => other.id === write.id) === index)
    .map((write) =>
      changeOf(write, known.get(write.id), { account: of, resource: kind, now, isPage: each.page !== null }),
    )
  const list = await store.listState(of, kind)
  const page = await pageOf(store, each, { now, pass: list.pass })
  const rung = changed.flatMap(({ event, to }) => (event === null ? [] : [{ event, to }]))
  const service = sampleEvent(`evt_service_${now}`, {
    type: 'account.recovered',
    account: null,
    timestamp: now,
    object: null,
    before: null,
    subject: { resource: 'subscription', id: 'erp', version: 1, previousEventId: null },
  })
  const again = each.repeats ? [sampleEvent(`evt_again_${of}`, { account: of }), ...rung.map(({ event }) => event)] : []
  const { account_state: state, hold, learnt, met, missed, quarantine, unchanged } = each
  return batch({
    account: of,
    storedAt: now,
    records: changed.map(({ write }) => write),
    events: [...rung.map(({ event }) => event), ...(each.service ? [service] : []), ...again],
    deliveries: rung.flatMap(({ event, to }) => to.map((subscription) => ({ eventId: event.id, subscription }))),
    dates: rung.flatMap(({ event, to }) =>
      to.map((subscription) => ({
        subscription,
        subject: { resource: 'shipment' as const, id: event.subject.id },
        date: 'arrival' as const,
        instant: now,
        version: event.subject.version,
      })),
    ),
    ...(each.provenance && { provenance: sampleProvenance() }),
    ...(page !== undefined && { page }),
    ...(each.list !== null && {
      list: { resource: kind, state: { ...list, completedAt: each.list.completes ? now : null, largestPage: now } },
    }),
    ...(unchanged !== null && {
      unchanged: {
        resource: kind,
        ids: unchanged.ids,
        read: { sentAt: now - 50, answeredAt: now },
        ...(unchanged.etag !== null && { etag: unchanged.etag }),
      },
    }),
    ...(met !== null && { met: { resource: kind, ids: met } }),
    ...(missed !== null && { missed: { resource: kind, ids: missed } }),
    ...(learnt !== null && {
      learnt: {
        profile: null,
        units: learnt.map((n) => ({
          resource: kind,
          what: 'page' as const,
          name: `${n}`,
          mix: { a: n },
          activity: { changes: n / 3, expected: n, at: now },
        })),
        gone: [{ resource: kind, what: 'page' as const, name: '0' }],
      },
    }),
    ...(quarantine !== null && {
      quarantine: {
        resource: kind,
        via: 'list' as const,
        remember: quarantine.remember.map((of) => ({ id: of, reason: `odd ${of}` })),
        forget: quarantine.forget,
      },
    }),
    ...(hold !== 'none' &&
      each.list !== null && {
        hold: { resource: kind, hold: hold === 'set' ? sampleHold({ since: now }) : null, expectedVerdict: null },
      }),
    ...(state === 'pause' && {
      pause: { failures: 1, throttles: 0, notBefore: now, decidedAt: now, reason: 'It \0 failed.' },
    }),
    ...(state === 'ceiling' && { ceiling: { fraction: 0.5, loweredAt: now, creditedTo: now, isStrained: true } }),
    ...(state === 'churning' && { churning: { resource: kind, paths: ['/a'] } }),
    ...(state === 'lying' && { lyingValidators: kind }),
  })
}

async function take(store: PollStore, each: Step, now: number): Promise<string> {
  try {
    if (each.do === 'startPass') await store.startPass(each.account, each.resource, now)
    else if (each.do === 'count')
      await store.countRequests(each.account, { at: now, amount: each.amount, budgetPerHour: 60 })
    else if (each.do === 'calendar') await store.calendar.configure(each.account, each.settings)
    else await store.commit(await batchOf(store, each, now))
    return 'done'
  } catch (error) {
    return String(error)
  }
}

test('whatever is committed, both stores hold the same of it', async () => {
  const databases = await postgresDatabases()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
      await using file = new StoreFile()
      const url = await databases.take()
      {
        await using store = await openPostgresStore({ url, pool: 2 })
        for (const [index, each] of steps.entries()) {
          const now = T + index * 17 * MINUTE
          expect(await take(store, each, now)).toBe(await take(file.store, each, now))
        }
      }
      const rows = await postgresRows(url)
      expect(rows).toEqual(sqliteRows(file.path))
      expect(rows['miscounted']).toEqual([])
      await databases.giveBack(url)
    }),
    { ...runs(10), endOnFailure: true },
  )
})
