import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { openStore } from '../../../src/store/file/open-store.ts'
import type { Store } from '../../../src/store/ports/store.ts'
import { systemClock } from '../../../src/clock.ts'
import { Workplace } from '../../support/shipbell.ts'
import { startDeskPeer } from '../start-peer.ts'
import { deskConfig } from './desk-config.ts'
import { fingerprintOf, liveOf, type DeskSize } from './desk-size.ts'
import { fillArrivals } from './fill-arrivals.ts'
import { fillLog } from './fill-log.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const MIGRATIONS = fileURLToPath(new URL('../../../src/store/file/migrations/', import.meta.url))
const STORE = 'shipbell.db'
/** How long ago, beyond when it was read, what is over was over. */
const MONTH_MS = 30 * 86_400_000

export interface KeptStore {
  readonly path: string
  /** When it was made: its platform shows that moment. */
  readonly madeAt: number
}

/**
 * A store of this size: read by the real program, its log and ledger written at once by SQL. It is kept in the temporary folder and
 * made anew where the schema or what makes it has changed, and after a day.
 */
export async function deskStore(size: DeskSize): Promise<KeptStore> {
  const folder = path.join(tmpdir(), `shipbell-bench-desk-${fingerprintOf([JSON.stringify(size), ...sources()])}`)
  const kept = path.join(folder, STORE)
  const mark = path.join(folder, 'made-at')
  const madeAt = existsSync(mark) ? Number(readFileSync(mark, 'utf8')) : 0
  if (systemClock.now() - madeAt < MONTH_MS / 30) return { path: kept, madeAt }
  const now = systemClock.now()
  mkdirSync(folder, { recursive: true })
  using work = new Workplace()
  await learn(work, size, now)
  const store = path.join(work.folder, STORE)
  fillLog(store, size, now)
  fillArrivals(store, now)
  {
    await using opened = openStore({ path: store })
    await indexAll(opened)
  }
  copyFileSync(store, `${kept}.new`)
  renameSync(`${kept}.new`, kept)
  writeFileSync(mark, String(now))
  return { path: kept, madeAt: now }
}

function sources(): readonly string[] {
  const made = ['fill-log.ts', 'fill-arrivals.ts', 'desk-peer.ts', 'desk-size.ts', 'desk-config.ts'].map((name) =>
    path.join(HERE, name),
  )
  const schema = readdirSync(MIGRATIONS).map((name) => path.join(MIGRATIONS, name))
  return [...made, ...schema].map((name) => readFileSync(name, 'utf8'))
}

/** What a daemon does within minutes: until then searches look at what waits for the index, too. */
export async function indexAll(store: Pick<Store, 'indexQueued'>): Promise<void> {
  while ((await store.indexQueued(INDEXED_AT_ONCE)) === INDEXED_AT_ONCE);
}

const INDEXED_AT_ONCE = 500

/** What is over was over long ago before tracking is read: it would be tracked for a week. */
async function learn(work: Workplace, size: DeskSize, now: number): Promise<void> {
  using peer = await startDeskPeer(size.shipments, liveOf(size), now)
  for (const tracking of [false, true]) {
    work.write('shipbell.yaml', deskConfig({ peer: peer.url, learning: true, tracking }))
    const { code, stderr } = await work.run('once')
    if (code !== 0) throw new Error(stderr)
    const db = new Sqlite(path.join(work.folder, STORE))
    if (!tracking) db.prepare('UPDATE records SET closed_at = closed_at - ?').run(MONTH_MS)
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
  }
}
