import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { worldShipment } from '../bench/world-shipment.ts'
import { withFolder } from './folder.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'
import { sqliteRows } from './store-rows.ts'

interface Body {
  readonly ref: number
  readonly codec: number
  readonly base: number | null
  readonly size: number
}

const BODIES = 'SELECT ref, codec, base, length(content) AS size FROM bodies ORDER BY ref'
/** What migration 0015 did is undone, and what those behind it did. */
const SCHEMA_BEFORE = `
  DROP TABLE search_index; DROP TABLE search_queue; ALTER TABLE record_terms DROP COLUMN shared;
  DROP INDEX records_rang; DROP INDEX records_eta; DROP INDEX records_drift; DROP INDEX records_name;
  DROP INDEX records_lane; DROP INDEX records_carrier; DROP INDEX records_unlisted;
  ALTER TABLE records DROP COLUMN ending; ALTER TABLE records DROP COLUMN eta_at; ALTER TABLE records DROP COLUMN drift;
  ALTER TABLE records DROP COLUMN kind; ALTER TABLE records DROP COLUMN totals;
  CREATE INDEX records_rang ON records (account, resource, last_event_at);
  DROP TABLE living_messages; DROP TABLE arrivals; DROP TABLE arrival_sums;
  DROP TABLE snapshot_runs; DROP TABLE snapshot_parts; ALTER TABLE lists DROP COLUMN complete_from; ALTER TABLE lists DROP COLUMN audit;
  DROP TABLE runtime_subscriptions; DROP TABLE runtime_revision;
  DROP TRIGGER endpoints_named; DROP INDEX deliveries_position; ALTER TABLE deliveries DROP COLUMN position;
  ALTER TABLE endpoints DROP COLUMN series; ALTER TABLE endpoints DROP COLUMN dropped_position;
  ALTER TABLE endpoints DROP COLUMN ended_position; ALTER TABLE endpoints DROP COLUMN keep_ms;
  ALTER TABLE endpoints DROP COLUMN watermark_at;
  DROP TABLE expectations; DROP TABLE expectation_rules; ALTER TABLE records DROP COLUMN changed_at;
  DROP TABLE reminders; DROP TABLE exceptions; DROP TABLE topics; DROP TABLE notes; DROP TABLE links;
  DROP TABLE unproved; ALTER TABLE lists DROP COLUMN gaps; ALTER TABLE deliveries DROP COLUMN progress;
  DROP TRIGGER bodies_dropped; DROP INDEX bodies_base; ALTER TABLE bodies DROP COLUMN base; PRAGMA user_version = 14`
const RAW_OR_DEFLATED = [0, 1]
const DELTA = 2

async function withStore(work: (store: Store, path: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    putEmptyStore(path)
    await using store = openStore({ path })
    await work(store, path)
  })
}

/** The record becomes another one, and rings `evt_VERSION`; but for its first version. */
async function change(store: Store, seen: JsonObject): Promise<void> {
  const before = (await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1')
  const version = (before?.version ?? -1) + 1
  const state = { ...(before ?? sampleState('SHP-1')), seen, reported: seen, version }
  const parts = { object: seen, before: before?.reported ?? null }
  const subject = { resource: 'shipment', id: 'SHP-1', version, previousEventId: null } as const
  const events =
    before === undefined ? [] : [sampleEvent(`evt_${version}`, { ...parts, subject, timestamp: T + version })]
  const records = [write(state, { expectedVersion: before?.version ?? null, seenBefore: before?.seen ?? null })]
  await store.commit(batch({ records, events }))
}

function version(n: number): JsonObject {
  return { ...worldShipment(1), specific_instructions: `Ring ${n} times.` }
}

async function changeTo(store: Store, last: number): Promise<void> {
  for (let n = 0; n <= last; n += 1) await change(store, version(n))
}

function bodiesOf(path: string): readonly Body[] {
  const db = new Sqlite(path)
  try {
    return db.prepare<[], Body>(BODIES).all()
  } finally {
    db.close()
  }
}

function alter(path: string, sql: string): void {
  const db = new Sqlite(path)
  db.exec(sql)
  db.close()
}

async function expire(store: Store, before: number): Promise<void> {
  await store.expirePayloads({ before, now: before, after: null, limit: 100 })
}

describe('versions of a record', () => {
  test('are deltas against its first one, which none of them is read without', async () => {
    await withStore(async (store, path) => {
      await changeTo(store, 10)
      const [first, ...deltas] = bodiesOf(path)
      expect(RAW_OR_DEFLATED).toContain(first?.codec)
      expect(deltas.map(({ codec, base }) => [codec, base])).toEqual(deltas.map(() => [DELTA, first?.ref]))
      expect(deltas.length).toBe(10)
      for (const { size } of deltas) expect(size * 6).toBeLessThan(first?.size ?? 0)
      for (let n = 1; n <= 10; n += 1)
        expect(await store.event(`evt_${n}`)).toMatchObject({ object: version(n), before: version(n - 1) })
      expect((await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1')?.seen).toEqual(version(10))
    })
  })

  test('go with their events, and the first one with the last that needs it', async () => {
    await withStore(async (store, path) => {
      await changeTo(store, 10)
      await expire(store, T + 9)
      expect(bodiesOf(path).map(({ ref }) => ref)).toEqual([1, 10, 11])
      await expire(store, T + 10)
      expect(bodiesOf(path).map(({ ref }) => ref)).toEqual([1, 11])
      await change(store, { platform_shipment_id: 'SHP-1', status: 'draft' })
      await expire(store, T + 11)
      expect(bodiesOf(path)).toMatchObject([{ codec: 0, base: null }])
      expect(sqliteRows(path)['miscounted']).toEqual([])
    })
  })

  test('begin anew where too much has changed over the years', async () => {
    await withStore(async (store, path) => {
      let seen: JsonObject = worldShipment(1)
      for (let n = 0; n < 40; n += 1) {
        await change(store, seen)
        seen = { ...seen, [`note_${n}`]: `${(n * 7_919) ** 3} ${(n * 104_729) ** 3}` }
      }
      const bodies = bodiesOf(path)
      const sizes = new Map(bodies.map(({ ref, size }) => [ref, size]))
      const deltas = bodies.filter(({ codec }) => codec === DELTA)
      expect(new Set(deltas.map(({ base }) => base)).size).toBeGreaterThan(1)
      for (const { base, size } of deltas) expect(size * 3).toBeLessThanOrEqual(sizes.get(base ?? 0) ?? 0)
    })
  })

  test.for([
    { what: 'a damaged base', sql: "content = CAST(x'00' || substr(content, 2) AS BLOB) WHERE base IS NULL", named: 1 },
    { what: 'a damaged delta', sql: "content = CAST(x'00' || substr(content, 2) AS BLOB) WHERE ref = 3", named: 3 },
    { what: 'a base that is another document', sql: 'base = 2 WHERE ref = 3', named: 2 },
    { what: 'a base that is not there', sql: 'base = 99 WHERE ref = 3', named: 99 },
    { what: 'a delta without its base', sql: 'base = NULL WHERE ref = 3', named: 3 },
  ])('$what is told, and what to do', async ({ named, sql }) => {
    await withStore(async (store, path) => {
      await changeTo(store, 2)
      alter(path, `UPDATE bodies SET ${sql}`)
      const told = { code: 'store_unusable', message: expect.stringMatching(`document ${named}\\b.*restore a backup`) }
      await expect(store.records('acme', 'shipment', ['SHP-1'])).rejects.toMatchObject(told)
      await expect((async () => (await store.event('evt_2'))?.object)()).rejects.toMatchObject(told)
    })
  })

  test('are packed against a document that a store of the schema before holds', { tags: 'long' }, async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      {
        await using store = openStore({ path })
        await change(store, version(0))
      }
      alter(path, SCHEMA_BEFORE)
      await using store = openStore({ path })
      await change(store, version(1))
      await change(store, version(2))
      expect(bodiesOf(path)).toMatchObject([{ base: null }, { base: 1 }, { base: 1 }])
      expect((await store.event('evt_1'))?.before).toEqual(version(0))
    })
  })
})
