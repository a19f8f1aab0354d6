import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { backupCommand } from '../../src/cli/backup.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { Workplace } from '../support/shipbell.ts'
import { CONFIGURATION, ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0
/** The number of the newest migration: they are numbered without a gap. */
const SCHEMA = readdirSync(new URL('../../src/store/file/migrations', import.meta.url)).length
const NAMES = ['evt_1', 'evt_2', 'evt_3']

async function threeEvents() {
  return await ledger(async (store) => {
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    await ring(
      store,
      NAMES.map((id) => sampleEvent(id)),
      ['erp'],
    )
  })
}

/** The first page of a table, and how large pages are. */
function placeOf(file: string, table: string): { readonly page: number; readonly size: number } {
  const db = new Sqlite(file, { readonly: true })
  const row = db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(table)
  const size = Number(db.pragma('page_size', { simple: true }))
  db.close()
  return { page: Number(row), size }
}

function backup(cwd: string, ...args: readonly string[]) {
  return runCommand(backupCommand, args, { cwd })
}

function partials(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.includes('.partial'))
}

describe('a backup', () => {
  it('is one file for its owner alone, and says what it holds', async () => {
    const { cwd, store } = await threeEvents()
    await using open = store()
    await open.endpoints()
    const { exitCode, stdout } = await backup(cwd, 'copy.db', '--json')
    const file = path.join(cwd, 'copy.db')
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      {
        file: 'copy.db',
        bytes: statSync(file).size,
        schema: SCHEMA,
        events: 3,
        records: 0,
        last_sequence: { acme: 3 },
      },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(cwd).filter((name) => name.startsWith('copy.db'))).toEqual(['copy.db'])
    await using copy = openStore({ path: file })
    expect((await copy.endpoints())[0]?.counts).toMatchObject({ pending: 3 })
  })

  it.skipIf(!hasSqlite)('is opened and found whole by the sqlite3 of the system', async () => {
    const { cwd } = await threeEvents()
    await backup(cwd, 'copy.db')
    const sql = 'PRAGMA integrity_check; PRAGMA journal_mode; SELECT count(*) FROM events'
    const printed = execFileSync('sqlite3', ['-readonly', path.join(cwd, 'copy.db'), sql], { encoding: 'utf8' })
    expect(printed.trim().split('\n')).toEqual(['ok', 'delete', '3'])
  })

  it('holds the state of one moment, though other processes commit all the time', async () => {
    using place = new Workplace()
    place.write('shipbell.yaml', CONFIGURATION)
    const store = path.join(place.folder, 'shipbell.db')
    const writer = openStore({ path: store })
    await writer.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    let rung = 0
    const more = async (amount: number): Promise<void> => {
      const events = Array.from({ length: amount }, () => sampleEvent(`evt_${(rung += 1)}`))
      await ring(writer, events, ['erp'])
    }
    for (let batch = 0; batch < 10; batch += 1) await more(500)
    const running = place.run('backup', 'copy.db', '--json')
    const ended = running.then(() => true)
    while (!(await Promise.race([ended, nextTurn(false)]))) await more(1)
    await writer[Symbol.asyncDispose]()
    const { code, stdout } = await running
    expect(code).toBe(0)
    const { events, last_sequence } = JSON.parse(stdout)
    expect(events).toBeGreaterThanOrEqual(5_000)
    expect(events).toBeLessThanOrEqual(rung)
    const copy = new Sqlite(path.join(place.folder, 'copy.db'), { readonly: true })
    const counted = copy.prepare('SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM deliveries)').raw().get()
    copy.close()
    expect([counted, last_sequence]).toEqual([[events, events], { acme: events }])
  })

  it('replaces a file only with --force, and never the store', async () => {
    const { cwd } = await threeEvents()
    writeFileSync(path.join(cwd, 'copy.db'), 'mine')
    const refused = await backup(cwd, 'copy.db')
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringMatching(/copy\.db exists and is left alone/)])
    expect(readFileSync(path.join(cwd, 'copy.db'), 'utf8')).toBe('mine')
    expect((await backup(cwd, 'copy.db', '--force')).exitCode).toBe(0)
    for (const name of ['shipbell.db', 'shipbell.db-wal']) {
      expect(await backup(cwd, name, '--force')).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('belongs to the store itself'),
      })
    }
    expect(partials(cwd)).toEqual([])
  })

  it('is refused beside the log of another database, and in a folder that is not there', async () => {
    const { cwd } = await threeEvents()
    writeFileSync(path.join(cwd, 'copy.db-wal'), '')
    expect((await backup(cwd, 'copy.db')).stderr).toMatch(/copy\.db-wal belongs to a database that was open there/)
    expect((await backup(cwd, 'no/copy.db')).stderr).toMatch(/The folder \S+no does not exist/)
    expect((await backup(cwd, '.')).stderr).toMatch(/is a folder/)
  })

  it('of a damaged store is not made', async () => {
    const { cwd } = await threeEvents()
    const file = path.join(cwd, 'shipbell.db')
    const bytes = readFileSync(file)
    const { page, size } = placeOf(file, 'bodies')
    bytes.fill(0xa5, (page - 1) * size, page * size)
    writeFileSync(file, bytes)
    const { exitCode, stderr } = await backup(cwd, 'copy.db')
    expect([exitCode, stderr]).toEqual([3, expect.stringMatching(/^The store \S+ is damaged \(.*\), and no backup/s)])
    expect(existsSync(path.join(cwd, 'copy.db'))).toBe(false)
    expect(partials(cwd)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('that does not fit is one sentence and leaves nothing', async () => {
    const { cwd } = await threeEvents()
    const entry = path.resolve(import.meta.dirname, '../../src/bin.js')
    // A bound of 64 kB on each file that is written, as a full disk: the signal that comes with it is ignored.
    const script = `trap '' XFSZ; ulimit -f 128; exec "$0" "$1" backup copy.db`
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, entry], { cwd, encoding: 'utf8' })
    expect([status, stderr]).toEqual([
      3,
      expect.stringMatching(
        /^The backup \S+copy\.db could not be made \(.+\): make room there, .+; nothing is left of it\.\n$/,
      ),
    ])
    expect(readdirSync(cwd).filter((name) => name.startsWith('copy'))).toEqual([])
  })

  it('that is interrupted leaves nothing', async () => {
    const { cwd } = await threeEvents()
    const { exitCode } = await runCommand(backupCommand, ['copy.db'], { cwd, signal: AbortSignal.abort() })
    expect(exitCode).not.toBe(0)
    expect(readdirSync(cwd).filter((name) => name.startsWith('copy'))).toEqual([])
  })

  it('needs a store', async () => {
    using place = new Workplace()
    place.write('shipbell.yaml', CONFIGURATION)
    expect(await backup(place.folder, 'copy.db')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/^There is no store at/),
    })
  })
})
