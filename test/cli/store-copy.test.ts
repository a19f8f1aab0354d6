import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsCommand } from '../../src/cli/events.ts'
import { holdsCommand } from '../../src/cli/holds.ts'
import { onceCommand } from '../../src/cli/once.ts'
import { runCommand as runDaemonCommand } from '../../src/cli/run.ts'
import { statusCommand } from '../../src/cli/status.ts'
import { storeCommand } from '../../src/cli/store.ts'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { lockStore } from '../../src/store/file/store-lock.ts'
import { batch, ring, sampleEvent, sampleHold, sampleState, T, write } from '../store/samples.ts'
import { changeFile, contentsOf, MovedStore, seriesIn } from './moved-store.ts'
import { runCommand } from './run-command.ts'

const KEYS = { env: { KEY: 'key' } }
/** What ids, names and documents may hold. */
const HOSTILE = [
  'A\0B',
  '\u0010',
  '\u00100',
  '🚢\u{10FFFF}',
  '',
  ' ',
  '"\\{}',
  'NULL',
  '\u00e9',
  'e\u0301',
  'a'.repeat(500),
]
const LARGE = 'x\0🚢'.repeat(300_000)

async function fill(store: Store): Promise<void> {
  await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
  const list = await store.startPass('acme', 'shipment', T)
  const records = HOSTILE.map((id) =>
    write(sampleState(id, { seen: { platform_shipment_id: id, name: id, big: 2 ** 53 } })),
  )
  await store.commit(batch({ records, list: { resource: 'shipment', state: list } }))
  const hold = sampleHold({ sample: HOSTILE })
  await store.commit(batch({ hold: { resource: 'shipment', hold, expectedVerdict: null } }))
  const events = HOSTILE.map((id, nth) =>
    sampleEvent(`evt_${nth}`, { subject: { resource: 'shipment', id, version: 1, previousEventId: null } }),
  )
  await ring(store, [...events, sampleEvent('evt_large', { object: { status: LARGE } })], ['erp'])
  await store.claim({ owner: 'dead', now: T, leaseMs: 1e9, slots: new Map([['erp', 3]]) })
}

async function small(store: Store): Promise<void> {
  await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
  await ring(store, [sampleEvent('evt_1')], ['erp'])
}

/** Whoever makes rows without a key of his own goes on behind those that are there. */
const NUMBERED = ['bodies', 'deliveries', 'records']

describe('shipbell store copy', () => {
  it('moves everything to a database, and all of it back', async () => {
    const moved = await MovedStore.with(fill)
    const series = [seriesIn(moved.file)]
    const { exitCode, stderr, stdout } = await moved.copy()
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toBe(
      `Moved ${rowsOf(moved.file)} rows from ${moved.file} to ${moved.place}, and compared them.\nName it in storage.url, and start \`shipbell run\`: nothing rings twice.\n`,
    )
    for (const table of NUMBERED) {
      const [row] = await moved.sql(
        `SELECT nextval(pg_get_serial_sequence('${table}', 'ref')) > max(ref) AS free FROM ${table}`,
      )
      expect([table, row]).toEqual([table, { free: true }])
    }
    {
      await using store = await openPostgresStore({ url: moved.url, pool: 2 })
      const { items } = await store.eventPage({ limit: 99 })
      expect(items.map(({ subject }) => subject.id).toReversed()).toEqual([...HOSTILE, 'SHP-1'])
      const claimed = await store.claim({ owner: 'one', now: T, leaseMs: 1, slots: new Map([['erp', 99]]) })
      expect(claimed.at(-1)?.event.object).toEqual({ status: LARGE })
      expect(claimed.map(({ place }) => place?.position)).toEqual([...HOSTILE, 'SHP-1'].map((_, nth) => nth + 1))
      series.push(claimed[0]?.place?.series)
      await store.recoverClaims()
    }
    moved.use({ url: moved.url })
    expect(await moved.copy('back.db')).toMatchObject({ exitCode: 0, stderr: '' })
    const back = path.join(moved.cwd, 'back.db')
    expect(contentsOf(back)).toEqual(contentsOf(moved.file))
    expect(new Set([...series, seriesIn(back)]).size).toBe(3)
    expect(statSync(back).mode & 0o777).toBe(0o600)
    expect(readdirSync(moved.cwd).filter((name) => name.includes('partial'))).toEqual([])
    moved.use({ path: 'back.db' })
    await using store = openStore({ path: back })
    await ring(store, [sampleEvent('evt_next')], ['erp'])
  })

  it('leaves claims behind that an earlier version wrote into rows: whoever held them is gone', async () => {
    const moved = await MovedStore.with(small)
    changeFile(moved.file, "UPDATE deliveries SET claimed_by = 'dead', wake_at = 9e15")
    expect(await moved.copy()).toMatchObject({ exitCode: 0, stderr: '' })
    await using store = await openPostgresStore({ url: moved.url, pool: 2 })
    const claimed = await store.claim({ owner: 'one', now: T, leaseMs: 1, slots: new Map([['erp', 9]]) })
    expect(claimed.map(({ event }) => event.id)).toEqual(['evt_1'])
  })

  it('reports as JSON, and says on a terminal how far it is', async () => {
    const moved = await MovedStore.with(async (store) => {
      const records = Array.from({ length: 40 }, (_, nth) => write(sampleState(`SHP-${nth}`)))
      await store.commit(batch({ records }))
    })
    const args = ['copy', '--to', moved.url, '--json']
    const { stderr, stdout } = await runCommand(storeCommand, args, { cwd: moved.cwd, isTTY: true })
    expect(JSON.parse(stdout)).toMatchObject({
      from: moved.file,
      to: moved.place,
      rows: rowsOf(moved.file),
      tables: { records: 40, events: 0 },
    })
    expect(stderr).toMatch(/\d+ of \d+ done \(\d+ %\)/)
  })

  it('takes variables as the configuration does: of the environment, of `.env` beside it, of files', async () => {
    for (const to of ['${TO}', '${FROM_ENV_FILE}', '${file:url}']) {
      const moved = await MovedStore.with(small)
      writeFileSync(path.join(moved.cwd, '.env'), `FROM_ENV_FILE=${moved.url}\n`)
      writeFileSync(path.join(moved.cwd, 'url'), `${moved.url}\n`)
      const copied = await moved.copy(to, { env: { TO: moved.url } })
      expect([to, copied]).toEqual([
        to,
        expect.objectContaining({ exitCode: 0, stdout: expect.stringContaining('storage.url') }),
      ])
    }
    const moved = await MovedStore.with(small)
    const refused = { exitCode: 2, stderr: expect.stringContaining('the variable NOWHERE is not set') }
    expect(await moved.copy('${NOWHERE}')).toMatchObject(refused)
  })

  it('leaves a store that says where it went, and only tells its history', async () => {
    const moved = await MovedStore.with(small)
    await moved.copy()
    const again = `The store ${moved.file} was moved to ${moved.place} already: there is nothing left to copy.`
    expect(await moved.copy()).toMatchObject({ exitCode: 3, stderr: again })
    const says = `The store ${moved.file} was moved to ${moved.place}: name that in storage.url; here its history can still be read.`
    const refused = { exitCode: 3, stderr: says }
    const where = { cwd: moved.cwd, ...KEYS }
    expect(await runCommand(onceCommand, [], where)).toMatchObject(refused)
    expect(await runCommand(runDaemonCommand, [], where)).toMatchObject(refused)
    expect(await runCommand(subscriptionsCommand, ['disable', 'erp'], where)).toMatchObject(refused)
    expect(
      await runCommand(holdsCommand, ['accept', '--account', 'acme', '--resource', 'shipments'], where),
    ).toMatchObject(refused)
    expect(await runCommand(statusCommand, [], where)).toMatchObject(refused)
    const { exitCode, stdout } = await runCommand(eventsCommand, ['list', '--json', 'id'], where)
    expect({ exitCode, ids: JSON.parse(stdout) }).toEqual({ exitCode: 0, ids: [{ id: 'evt_1' }] })
    expect(says).not.toContain('postgres:')
  })

  it('leaves a database that says where it went, also to whoever has it open', async () => {
    const moved = await MovedStore.with(small)
    await moved.copy()
    moved.use({ url: moved.url })
    await using before = await openPostgresStore({ url: moved.url, pool: 2 })
    const file = path.join(moved.cwd, 'back.db')
    expect(await moved.copy(file)).toMatchObject({ exitCode: 0 })
    await expect(ring(before, [sampleEvent('evt_2')], ['erp'])).rejects.toThrow(
      `was moved to ${file}: name that in storage.path`,
    )
    const worker = {
      id: 'one',
      host: 'here',
      pid: 1,
      command: 'run',
      version: '1',
      port: null,
      config: '',
      settings: {},
      loadedAt: null,
    }
    await expect(before.workers.join(worker, 1_000)).rejects.toThrow(`was moved to ${file}`)
    const gone = { code: 'store_moved', message: expect.stringContaining(`was moved to ${file}`) }
    await expect(before.look()).rejects.toMatchObject(gone)
    const where = { cwd: moved.cwd, ...KEYS }
    expect(await runCommand(onceCommand, [], where)).toMatchObject({
      exitCode: 3,
      stderr: `The store ${moved.place} was moved to ${file}: name that in storage.path; here its history can still be read.`,
    })
    expect((await runCommand(statusCommand, [], where)).exitCode).toBe(3)
    expect((await runCommand(eventsCommand, ['list'], where)).exitCode).toBe(0)
  })

  it('is refused while anybody works on either of the two', async () => {
    const moved = await MovedStore.with(small)
    const holder = { pid: process.pid, command: 'run', since: '2026-11-21T08:00:00.000Z', host: 'here' }
    {
      using _ = lockStore(moved.file, holder)
      const { exitCode, stderr } = await moved.copy()
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 3,
        stderr: expect.stringContaining(`process ${process.pid} on here (run`),
      })
    }
    const worker = { id: 'one', ...holder, version: '1', port: null, config: '', settings: {}, loadedAt: null }
    await using store = await openPostgresStore({ url: moved.url, pool: 2 })
    await store.workers.join(worker, 60_000)
    const inUse = `The store ${moved.place} is in use by process ${process.pid} on here (run): stop all of them first.`
    expect(await moved.copy()).toEqual({ exitCode: 3, stdout: '', stderr: inUse })
    moved.use({ url: moved.url })
    expect(await moved.copy('back.db')).toEqual({ exitCode: 3, stdout: '', stderr: inUse })
    expect(existsSync(path.join(moved.cwd, 'back.db'))).toBe(false)
  })

  it('fills nothing but an empty place', async () => {
    const moved = await MovedStore.with(small)
    const other = await MovedStore.with(small)
    expect((await other.copy()).exitCode).toBe(0)
    const full = await moved.copy(other.url)
    expect(full).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(`The database ${other.place} holds a store already`),
    })
    moved.use({ url: other.url })
    const file = await moved.copy('shipbell.db')
    expect(file).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(`The file ${moved.file} holds a store already`),
    })
    writeFileSync(path.join(moved.cwd, 'notes.txt'), 'no store at all, but some notes')
    expect((await moved.copy('notes.txt')).exitCode).toBe(3)
  })

  it('refuses in a sentence what it cannot move', async () => {
    const moved = await MovedStore.with(async (store) => {
      await store.commit(batch({ records: [write(sampleState('é'.repeat(501)))] }))
    })
    expect(await moved.copy()).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('has a record whose id is longer than 500 characters'),
    })
    expect(await moved.sql('SELECT 1 FROM accounts')).toEqual([])
    expect(await moved.copy('other.db')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('The store is in a file'),
    })
    const nonsense = await moved.copy('postgres://u:sesame@/')
    expect({ ...nonsense, isQuiet: !nonsense.stderr.includes('sesame') }).toMatchObject({ exitCode: 2, isQuiet: true })
    moved.use({ path: 'missing.db' })
    expect(await moved.copy()).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('There is no store at') })
  })

  it('takes bytes that are no text as SQLite reads them', async () => {
    const moved = await MovedStore.with(fill)
    changeFile(moved.file, `UPDATE records SET name = CAST(x'61eda08062ff' AS TEXT)`)
    expect(await moved.copy()).toMatchObject({ exitCode: 0, stderr: '' })
    const [row] = await moved.sql('SELECT DISTINCT name FROM records')
    expect(row?.['name']).toMatch(/^a\ufffd+b\ufffd$/)
  })

  it('leaves nothing behind where it is interrupted', async () => {
    const moved = await MovedStore.with(small)
    const { exitCode } = await moved.copy(moved.url, { signal: AbortSignal.abort(new Error('Ctrl-C')) })
    expect(exitCode).not.toBe(0)
    expect(await moved.sql('SELECT 1 FROM accounts')).toEqual([])
    expect(await moved.copy()).toMatchObject({ exitCode: 0 })
  })
})

function rowsOf(file: string): number {
  return Object.values(contentsOf(file)).reduce((sum, rows) => sum + rows.length, 0)
}
