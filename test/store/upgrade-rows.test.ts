import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import { withFolder } from './folder.ts'
import { success, T } from './samples.ts'

const FIRST = new URL('../../src/store/file/migrations/0001-first-store.sql', import.meta.url)
const DAY = 86_400_000

/** A store of version 1: rows that are ready, wait after a 500 or a 429, and are held. */
function writeFirstStore(path: string): void {
  const db = new Sqlite(path)
  db.exec(readFileSync(FIRST, 'utf8'))
  db.pragma('user_version = 1')
  db.prepare(`INSERT INTO endpoints (subscription, configured, enabled, failures_in_row) VALUES ('erp', 1, 1, 5)`).run()
  db.prepare(
    `INSERT INTO endpoints (subscription, disabled_at, disabled_by, disabled_reason, configured, enabled) VALUES ('off', ?, 'command', 'x', 1, 1)`,
  ).run(T)
  const event = db.prepare(`
    INSERT INTO events (id, account, sequence, type, resource, subject_id, subject_version, timestamp, stored_at, cause, extras)
    VALUES (?, 'acme', ?, 'shipment.created', 'shipment', 'SHP-1', 1, ?, ?, 'change', '{}')`)
  for (let n = 1; n <= 4; n += 1) event.run(`evt_${n}`, n, T, T)
  const row = db.prepare(`
    INSERT INTO deliveries (id, event, subscription, lane, state, round, next_attempt_at, wake_at, last_status)
    VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?)`)
  row.run('dlv_ready', 1, 'erp', 'pending', 0, T, null, null)
  row.run('dlv_failed', 2, 'erp', 'pending', 2, T + DAY, T + DAY, 500)
  row.run('dlv_asked', 3, 'erp', 'pending', 2, T + DAY, T + DAY, 429)
  row.run('dlv_held', 4, 'off', 'held', 0, null, null, null)
  db.close()
}

test('a store of version 1 goes on: what is due, what waits, what Retry-After holds back, what is held', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    writeFirstStore(path)
    await using store = openStore({ path })
    const claim = async (now: number) => {
      const slots = new Map([
        ['erp', 9],
        ['off', 9],
      ])
      return (await store.claim({ owner: 'one', now, leaseMs: 60_000, slots })).map(({ id }) => id)
    }
    expect(await store.settleRows(T)).toBe(true)
    expect(await claim(T)).toEqual(['dlv_ready'])
    await store.settle('one', [{ id: 'dlv_ready', attempt: success(), result: { kind: 'delivered' } }])
    expect(await claim(T)).toEqual(['dlv_failed'])
    expect(await claim(T + DAY)).toContain('dlv_asked')
    await store.enable('off', { at: T, discard: false })
    expect(await claim(T)).toEqual(['dlv_held'])
  })
})

test('rows of before rows were numbered have none, and get one once they wait to be taken from a feed', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    writeFirstStore(path)
    await using store = openStore({ path })
    const sync = async (channel?: { readonly kind: string; readonly keepMs: number }) =>
      await store.syncSubscriptions([{ name: 'erp', enabled: true, ...(channel && { channel }) }], T)
    const shown = async () =>
      (await store.feedPart({ subscription: 'erp', after: 0, limit: 9 }))?.items.map(({ event, position }) => [
        position,
        event.id,
      ])
    await sync()
    expect(await shown()).toEqual([])
    await store.backfill({ deliveries: [{ eventId: 'evt_4', subscription: 'erp' }], at: T })
    const numbered = [
      [1, 'evt_4'],
      [2, 'evt_1'],
      [3, 'evt_2'],
      [4, 'evt_3'],
    ]
    for (const channel of [{ kind: 'pull', keepMs: DAY }, undefined, { kind: 'pull', keepMs: DAY }]) {
      await sync(channel)
      expect(await shown()).toEqual(numbered)
    }
    const ending = { kind: 'taken', position: 3 } as const
    expect(await store.endFeed({ subscription: 'erp', ending, at: T, most: 9 })).toEqual({ ended: 3, isDone: true })
  })
})
