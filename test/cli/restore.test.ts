import { chmodSync, existsSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { backupCommand } from '../../src/cli/backup.ts'
import { restoreCommand } from '../../src/cli/restore.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { lockStore } from '../../src/store/file/store-lock.ts'
import { scratchFolder } from '../config/scratch.ts'
import { keptStore } from '../store/kept-stage.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { CONFIGURATION } from './ledger.ts'
import { seriesIn } from './moved-store.ts'
import { runCommand } from './run-command.ts'

/** A folder with a configuration. */
class Place {
  readonly cwd = scratchFolder({ 'shipbell.yaml': CONFIGURATION })
  readonly store = this.at('shipbell.db')

  at(name: string): string {
    return path.join(this.cwd, name)
  }

  async rings(...ids: readonly string[]): Promise<void> {
    await using store = openStore({ path: this.store })
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    await ring(
      store,
      ids.map((id) => sampleEvent(id)),
      ['erp'],
    )
  }

  async backup(): Promise<string> {
    expect((await runCommand(backupCommand, ['copy.db', '--force'], { cwd: this.cwd })).exitCode).toBe(0)
    return this.at('copy.db')
  }

  async restore(file = 'copy.db', ...options: readonly string[]) {
    return await runCommand(restoreCommand, [file, ...options], { cwd: this.cwd })
  }

  files(): Readonly<Record<string, string>> {
    const names = readdirSync(this.cwd).filter((name) => !name.endsWith('.lock'))
    return Object.fromEntries(names.map((name) => [name, readFileSync(this.at(name), 'latin1')]))
  }
}

function eventsIn(file: string): number {
  const sqlite = new Sqlite(file)
  const amount: unknown = sqlite.prepare('SELECT count(*) FROM events').pluck().get()
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  sqlite.close()
  return Number(amount)
}

async function oneThenTwo(): Promise<Place> {
  const place = new Place()
  await place.rings('evt_1')
  await place.backup()
  await place.rings('evt_2')
  return place
}

describe('restore', () => {
  it('replaces the store by the backup, for its owner alone, and keeps the old one', async () => {
    const place = await oneThenTwo()
    chmodSync(place.at('copy.db'), 0o644)
    const { exitCode, stdout } = await place.restore('copy.db', '--json')
    expect(exitCode).toBe(0)
    const { kept, ...said } = JSON.parse(stdout)
    expect(said).toMatchObject({ file: 'copy.db', events: 1, last_sequence: { acme: 1 } })
    expect([eventsIn(place.store), eventsIn(kept)]).toEqual([1, 2])
    expect(statSync(place.store).mode & 0o777).toBe(0o600)
    expect(path.basename(kept)).toMatch(/^shipbell\.db\.before-restore-\d{8}T\d{6}Z$/)
    await place.rings('evt_3')
    expect([eventsIn(place.store), eventsIn(place.at('copy.db'))]).toEqual([2, 1])
    expect((await place.restore()).stdout).toContain('.before-restore-')
    expect(readdirSync(place.cwd).filter((name) => name.includes('.before-restore-'))).toHaveLength(2)
  })

  it('begins other series: what the backup lacks had numbers that are given again', async () => {
    const place = await oneThenTwo()
    const known = seriesIn(place.store)
    await place.restore()
    expect(seriesIn(place.store)).not.toBe(known)
    expect(seriesIn(place.at('copy.db'))).toBe(known)
  })

  it('makes the store where there is none, also with its log left behind', async () => {
    const place = await oneThenTwo()
    const elsewhere = new Place()
    writeFileSync(elsewhere.at('copy.db'), readFileSync(place.at('copy.db')))
    writeFileSync(`${elsewhere.store}-wal`, 'of a store that is gone')
    const { exitCode, stdout } = await elsewhere.restore('copy.db', '--json')
    expect([exitCode, JSON.parse(stdout).kept]).toEqual([0, null])
    expect(eventsIn(elsewhere.store)).toBe(1)
  })

  it('keeps what the log of a killed process holds, with the old store', async () => {
    const place = await oneThenTwo()
    // As SIGKILL leaves it: a log that no connection wrote back.
    const files = await logged(place)
    for (const [name, bytes] of files) writeFileSync(place.at(name), bytes)
    expect(JSON.parse((await place.restore('copy.db', '--json')).stdout)).toMatchObject({ events: 1 })
    const kept = readdirSync(place.cwd).filter((name) => name.includes('.before-restore-'))
    expect(kept.map((name) => eventsIn(place.at(name)))).toEqual([3])
    expect(eventsIn(place.store)).toBe(1)
  })

  it('takes a damaged store’s place', async () => {
    const place = await oneThenTwo()
    lockStore(place.store, holder())[Symbol.dispose]()
    writeFileSync(place.store, 'no database at all, '.repeat(1_000))
    expect((await place.restore()).exitCode).toBe(0)
    expect(eventsIn(place.store)).toBe(1)
  })

  it('reads a copy of a store with the log that was copied with it', async () => {
    const place = await oneThenTwo()
    for (const [name, bytes] of await logged(place)) writeFileSync(place.at(`raw${name.slice(8)}`), bytes)
    expect(JSON.parse((await place.restore('raw.db', '--json')).stdout)).toMatchObject({ events: 3 })
  })

  it('brings back the store of an older version, which the next start brings up to date', async () => {
    const place = new Place()
    writeFileSync(place.at('old.db'), keptStore('0001'))
    expect(JSON.parse((await place.restore('old.db', '--json')).stdout)).toMatchObject({ schema: 1 })
    await using store = openStore({ path: place.store })
    expect((await store.endpoints()).length).toBeGreaterThan(0)
  })

  it('is refused while a process holds the store, naming it, and changes nothing', async () => {
    const place = await oneThenTwo()
    const before = place.files()
    using _ = lockStore(place.store, holder())
    expect(await place.restore()).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/is in use by process 4711 on here \(run, since .*stop that process first/),
    })
    expect(place.files()).toEqual(before)
  })

  it('is refused while another program has the store open, and changes nothing', async () => {
    const place = await oneThenTwo()
    const other = new Sqlite(place.store)
    other.exec('BEGIN')
    other.prepare('SELECT count(*) FROM events').get()
    const { exitCode, stderr } = await place.restore()
    expect([exitCode, stderr]).toEqual([3, expect.stringMatching(/locked by another program .*: end that program/)])
    other.close()
    expect(eventsIn(place.store)).toBe(2)
    expect(readdirSync(place.cwd).filter((name) => /partial|before-restore/.test(name))).toEqual([])
  })

  const REFUSED: Readonly<Record<string, readonly [make: (backup: Buffer) => Buffer, stderr: RegExp]>> = {
    'that is cut short': [(bytes) => bytes.subarray(0, bytes.length - 40_960), /is damaged \(.+\): restore another/s],
    'that was overwritten': [(bytes) => Buffer.from(bytes).fill(0x5a, 40_000, 60_000), /is damaged/],
    'that is empty': [() => Buffer.alloc(0), /is not a Shipbell store/],
    'that is no database': [() => Buffer.from('PK'.repeat(400)), /is not a Shipbell store/],
    'of another application': [otherDatabase, /is not a Shipbell store/],
    'of a newer version': [
      (bytes) => withVersion(bytes, 999),
      /was made by a newer Shipbell \(schema 999, .* knows \d+\)/,
    ],
  }

  it.each(Object.entries(REFUSED))('refuses a file %s, and changes nothing', async (_what, [make, stderr]) => {
    const place = await oneThenTwo()
    writeFileSync(place.at('bad.db'), make(readFileSync(place.at('copy.db'))))
    const before = place.files()
    expect(await place.restore('bad.db')).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(stderr) })
    expect(place.files()).toEqual(before)
  })

  it('leaves no lock beside a store that is not there', async () => {
    const place = new Place()
    writeFileSync(place.at('bad.db'), 'nothing')
    expect((await place.restore('bad.db')).exitCode).toBe(3)
    expect(readdirSync(place.cwd).toSorted()).toEqual(['bad.db', 'shipbell.yaml'])
  })

  it('refuses a file that is not there, the store itself, and a store in use', async () => {
    const place = await oneThenTwo()
    expect(await place.restore('no.db')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^There is no file/),
    })
    expect(await place.restore('shipbell.db')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('itself') })
    using _ = lockStore(place.at('copy.db'), holder())
    expect(await place.restore()).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('is a store in use') })
  })
})

describe('a restore that was killed before its last step', () => {
  it('left the old store, which opens: the name it was to be kept by goes', async () => {
    const place = await oneThenTwo()
    const kept = `${place.store}.before-restore-20261121T080000Z`
    linkSync(place.store, kept)
    await place.rings('evt_3')
    expect([eventsIn(place.store), existsSync(kept)]).toEqual([3, false])
  })

  it('left a partial file, which the next one removes', async () => {
    const place = await oneThenTwo()
    writeFileSync(`${place.store}.0123abcd.partial`, 'half')
    writeFileSync(`${place.store}.0123abcd.partial-wal`, 'half')
    expect((await place.restore()).exitCode).toBe(0)
    expect(readdirSync(place.cwd).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('keeps both names while it still runs', async () => {
    const place = await oneThenTwo()
    const kept = `${place.store}.before-restore-20261121T080000Z`
    using lock = lockStore(place.store, { ...holder(), command: 'restore' })
    lock.nameStore(place.at('copy.db'))
    linkSync(place.store, kept)
    await expect(place.rings('evt_3')).rejects.toThrow(/hard links|is being restored by process 4711/)
    expect(existsSync(kept)).toBe(true)
  })
})

it('is named to a command that would write to the old store meanwhile', async () => {
  const place = await oneThenTwo()
  using lock = lockStore(place.store, { ...holder(), command: 'restore' })
  lock.nameStore(place.at('copy.db'))
  await expect(place.rings('evt_3')).rejects.toThrow(/is being restored by process 4711: wait for its end/)
})

function holder() {
  return { pid: 4_711, command: 'run', since: '2026-11-21T08:00:00.000Z', host: 'here' }
}

/** The files of a store with a third event that is in its log alone. */
async function logged({ store }: Place): Promise<readonly (readonly [name: string, bytes: Buffer])[]> {
  await using open = openStore({ path: store })
  await ring(open, [sampleEvent('evt_3')], ['erp'])
  return ['shipbell.db', 'shipbell.db-wal'].map((name) => [name, readFileSync(path.join(path.dirname(store), name))])
}

function otherDatabase(): Buffer {
  const sqlite = new Sqlite(':memory:')
  sqlite.exec('CREATE TABLE t (x); INSERT INTO t VALUES (1)')
  return sqlite.serialize()
}

function withVersion(bytes: Buffer, version: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt32BE(version, 60)
  return changed
}
