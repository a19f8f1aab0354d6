import { existsSync, rmSync } from 'node:fs'
import { ShipbellError } from '../../errors.ts'
import type { Relocation } from './relocation-row.ts'
import { COPIED_TABLES, ONE_ROW_TABLES } from './copied-tables.ts'
import type { ArrivingStore, WritableRows } from './copy-ports.ts'
import { judgeCopy } from '../file/backup/judge-copy.ts'
import { PartialFile, removePartials } from '../file/backup/partial-file.ts'
import { Connection } from '../file/connection.ts'
import { migrate } from '../file/migrate.ts'
import { connectStore } from '../file/open-store.ts'
import { Query } from '../file/query.ts'
import { loadRelocation, saveRelocation } from './relocation-row.sqlite.ts'
import { storeFailure } from '../file/store-failure.ts'
import { canonicalPath } from '../file/store-file.ts'
import { lockStore, type LockHolder, type StoreLock } from '../file/store-lock.ts'
import { FileRows } from './file-rows.ts'

const USED = new Query<{ used: number }>(
  `SELECT ${COPIED_TABLES.filter((table) => !ONE_ROW_TABLES.includes(table))
    .map((table) => `EXISTS (SELECT 1 FROM ${table})`)
    .join(' OR ')} AS used`,
)
const DERIVING = new Query<{ type: string; name: string; sql: string }>(`
  SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY type, rowid`)
const DANGLING = new Query<{ table: string }>('SELECT "table" FROM pragma_foreign_key_check LIMIT 1')

/** The file that a store is to be in. It is made beside its place, which it takes once it is whole. */
export class ArrivingFile implements ArrivingStore {
  readonly place: string
  readonly #lock: StoreLock

  private constructor(path: string, lock: StoreLock) {
    this.place = path
    this.#lock = lock
  }

  /** `path` is absolute. Throws `store_locked` and `store_unusable`. */
  static open(path: string, holder: LockHolder): ArrivingFile {
    return new ArrivingFile(canonicalPath(path), lockStore(path, holder))
  }

  async awaits(id: string): Promise<boolean> {
    if (!existsSync(this.place)) return false
    using db = connectStore({ path: this.place, locked: true })
    const known = loadRelocation(db)
    return known?.state === 'arriving' && known.id === id
  }

  async #refuseUsed(id: string): Promise<void> {
    if (!existsSync(this.place) || (await this.awaits(id))) return
    using db = connectStore({ path: this.place, locked: true })
    if (loadRelocation(db) === undefined && db.one(USED)?.used === 0) return
    throw unusable(`The file ${this.place} holds a store already: name a FILE that is not there yet.`)
  }

  async receive<T>(from: Omit<Relocation, 'state'>, work: (rows: WritableRows) => Promise<T>): Promise<T> {
    await this.#refuseUsed(from.id)
    using partial = new PartialFile(this.place)
    removePartials(this.place, partial)
    const result = await filled(partial.path, { ...from, state: 'arriving' }, work)
    const judged = judgeCopy(partial.path)
    if (judged.kind !== 'whole')
      throw unusable(`The copy ${partial.path} is not whole (${judged.kind}): check the disk.`)
    this.#lock.nameStore(partial.path)
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(this.place + suffix, { force: true })
    partial.publish()
    return result
  }

  async arrive(): Promise<void> {
    using db = connectStore({ path: this.place, locked: true })
    db.script('PRAGMA synchronous = FULL')
    db.transact('BEGIN IMMEDIATE', () => db.run('DELETE FROM relocation'))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#lock[Symbol.dispose]()
  }
}

/** What is derived of rows comes with them; indexes are made when all are there, which takes less than half of the time. */
async function filled<T>(path: string, relocation: Relocation, work: (rows: WritableRows) => Promise<T>): Promise<T> {
  try {
    using db = new Connection(path, { readonly: false, busyTimeoutMs: 0 })
    migrate(db, { locked: true })
    db.script('PRAGMA foreign_keys = OFF')
    const deriving = db.all(DERIVING)
    for (const { name, type } of deriving) db.script(`DROP ${type} "${name}"`)
    for (const table of ONE_ROW_TABLES) db.script(`DELETE FROM ${table}`)
    const result = await work(new FileRows(db))
    for (const { sql } of deriving) db.script(sql)
    const dangling = db.one(DANGLING)
    if (dangling !== undefined)
      throw unusable(`Rows of ${dangling.table} refer to others that are not there: report it.`)
    db.transact('BEGIN IMMEDIATE', () => saveRelocation(db, relocation))
    return result
  } catch (error) {
    throw storeFailure(error, path)
  }
}

function unusable(message: string): ShipbellError {
  return new ShipbellError('store_unusable', message)
}
