import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import { withFolder } from './folder.ts'
import { T } from './samples.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const FIRST = new URL('../../src/store/file/migrations/0001-first-store.sql', import.meta.url)

/** A store of the first schema with one event for each delivery, made by SQL alone. */
function firstStore(path: string, rows: (db: Sqlite.Database) => void): void {
  const db = new Sqlite(path)
  db.exec(readFileSync(FIRST, 'utf8'))
  db.pragma('user_version = 1')
  rows(db)
  db.close()
}

function endpoint(db: Sqlite.Database, name: string, failures: readonly [number, number, number]): void {
  db.prepare(
    `INSERT INTO endpoints (subscription, configured, enabled, failures_in_row, failing_since, last_failure_at, last_error)
     VALUES (?, 1, 1, ?, ?, ?, 'it answered 500')`,
  ).run(name, ...failures)
}

/** A delivery that failed at `at` and waits for a minute. */
function waiting(db: Sqlite.Database, n: number, at: number): void {
  db.prepare(
    `INSERT INTO events (id, account, sequence, type, resource, subject_id, subject_version, timestamp, stored_at, cause, extras)
     VALUES (?, 'acme', ?, 'shipment.status_changed', 'shipment', 'SHP-1', ?, ?, ?, 'change', '{}')`,
  ).run(`evt_${n}`, n, n, at, at)
  db.prepare(
    `INSERT INTO deliveries (id, event, subscription, lane, state, attempts, round, next_attempt_at, wake_at)
     VALUES (?, ?, 'erp', 1, 'pending', 1, 1, ?, ?)`,
  ).run(`dlv_${n}`, n, at + 60_000, at + 60_000)
  db.prepare("INSERT INTO attempts (delivery, at, duration_ms, error) VALUES (?, ?, 20, 'it answered 500')").run(n, at)
}

async function dueAt(path: string, now: number): Promise<readonly string[]> {
  await using store = openStore({ path })
  const slots = new Map([['erp', 9]])
  return (await store.claim({ owner: 'one', now, leaseMs: HOUR, slots })).map(({ id }) => id)
}

test('what waits in a store of the first schema waits on for as long', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    firstStore(path, (db) => {
      endpoint(db, 'erp', [2, T, T])
      waiting(db, 1, T - 9)
      waiting(db, 2, T)
    })
    {
      await using store = openStore({ path })
      expect((await store.waits()).steady).toEqual({ latest: T + 20, aheadMs: 0 })
    }
    expect(await dueAt(path, T + 59_999)).toEqual(['dlv_1'])
    // The claim of the first ended with the store that made it.
    expect(await dueAt(path, T + 60_000)).toEqual(['dlv_1', 'dlv_2'])
  })
})

test('what began to wait while the clock was ahead is due', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    firstStore(path, (db) => {
      endpoint(db, 'erp', [3, T, T + 9 * DAY])
      waiting(db, 1, T + 9 * DAY)
      waiting(db, 2, T)
    })
    expect(await dueAt(path, T + 1_000)).toEqual(['dlv_1'])
  })
})

test('an endpoint that fails is given up no sooner than after one more day', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    firstStore(path, (db) => {
      endpoint(db, 'busy', [10_000, T - 9 * DAY, T])
      endpoint(db, 'few', [2, T - 6 * DAY, T])
      endpoint(db, 'new', [7, T - HOUR, T])
      db.exec("INSERT INTO endpoints (subscription, configured, enabled, last_failure_at) VALUES ('well', 1, 1, 7)")
    })
    await using store = openStore({ path })
    const failing = (await store.endpointFacts()).map(({ subscription, failingForMs }) => [subscription, failingForMs])
    expect(failing).toEqual([
      ['busy', 4 * DAY],
      ['few', DAY],
      ['new', HOUR],
      ['well', 0],
    ])
  })
})

test('what an older store knows is found page by page, counted by the hour and by what waits', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    const start = T - (T % HOUR)
    firstStore(path, (db) => {
      endpoint(db, 'erp', [3, T, T])
      db.exec("INSERT INTO accounts (account, last_sequence) VALUES ('acme', 3)")
      for (const [nth, at] of [start, start + 1, start + HOUR].entries()) waiting(db, nth + 1, at)
      db.exec(`UPDATE deliveries SET last_error = 'it answered 500', last_status = 500 WHERE ref < 3;
        UPDATE deliveries SET round = 0, attempts = 0 WHERE ref = 3;
        INSERT INTO rejections (account, resource, via, id, reason) VALUES ('acme', 'shipment', 'list', 'A', 'odd');
        INSERT INTO lists (account, resource, pass, largest_page) VALUES ('acme', 'shipment', 1, 3);
        INSERT INTO pages (account, resource, skip, rows, sent_at, answered_at, pass, print, rules)
        VALUES ('acme', 'shipment', 0, 2, 5, 6, 1, '', ''), ('acme', 'shipment', 2, 0, 1, 2, 1, '', '')`)
      const read = db.prepare(
        `INSERT INTO reads (account, resource, id, sent_at, answered_at, pass, misses, page) VALUES ('acme', 'shipment', ?, 1, ?, 1, ?, ?)`,
      )
      db.pragma('foreign_keys = OFF')
      read.run('A', 1, 0, 1)
      read.run('B', 1, 0, 1)
      read.run('C', 4, 1, null)
      read.run('D', 9, null, null)
    })
    await using store = openStore({ path })
    const ids = async (query: object) => (await store.eventPage({ limit: 9, ...query })).items.map(({ id }) => id)
    expect(await ids({ resource: 'shipment', since: start + 1 })).toEqual(['evt_3', 'evt_2'])
    expect(await ids({ account: 'acme', types: ['shipment.status_changed'] })).toEqual(['evt_3', 'evt_2', 'evt_1'])
    expect((await store.eventHours(0)).map(({ hour, amount }) => [hour, amount])).toEqual([
      [start, 2],
      [start + HOUR, 1],
    ])
    const since = start + HOUR
    expect((await store.deliveryPage({ since, limit: 9 })).items.map(({ id }) => id)).toEqual(['dlv_3'])
    expect((await store.failures()).map(({ cause, rows }) => [cause, rows])).toEqual([['The endpoint answered 500', 2]])
    expect(await store.deferredRows(start)).toBe(1)
    expect((await store.quarantine({ limit: 9 })).items).toHaveLength(1)
    expect((await store.accounts(T))[0]?.lists).toMatchObject([{ records: 3, oldestReadAt: 4, newestReadAt: 6 }])
  })
})
