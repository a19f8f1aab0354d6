import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { withFolder } from './folder.ts'
import { T } from './samples.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const FIRST = new URL('../../src/store/sqlite/migrations/0001-first-store.sql', import.meta.url)

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
      expect(await store.steadyTime()).toEqual({ latest: T + 20, aheadMs: 0 })
    }
    expect(await dueAt(path, T + 59_999)).toEqual(['dlv_1'])
    expect(await dueAt(path, T + 60_000)).toEqual(['dlv_2'])
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
