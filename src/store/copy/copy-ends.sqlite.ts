import { ShipbellError } from '../../errors.ts'
import { refuseRelocated, type Relocation } from './relocation-row.ts'
import {
  type ArrivingStore,
  type LeavingStore,
  type Row,
  type StoredRows,
  USED_SQL,
  type Value,
  type WritableRows,
} from './copy-store.ts'
import { Connection } from '../file/connection.ts'
import { OpenClaims } from '../deliveries/open-claims.sqlite.ts'
import { deliveryStore } from '../deliveries/delivery-store.sqlite.ts'
import { connectStore } from '../file/open-store.ts'
import { QUEUE_ALL } from '../search/search-index.ts'
import { RENEW_SERIES } from '../endpoints/sync-endpoints.sqlite.ts'
import { Query } from '../file/query.ts'
import { loadRelocation, saveRelocation } from './relocation-row.sqlite.ts'
import { type LockHolder, lockStore, type StoreLock } from '../file/store-lock.ts'
import { existsSync, rmSync } from 'node:fs'
import { COPIED_TABLES, type CopiedTable } from '../tables/tables.ts'
import { judgeCopy } from '../file/backup/judge-copy.ts'
import { PartialFile, removePartials } from '../file/backup/partial-file.ts'
import { migrate } from '../file/migrate.ts'
import { canonicalPath, storeFailure } from '../file/store-file.ts'

export interface LeavingFileOptions {
  /** The path of a store that is there. */
  readonly path: string
  readonly holder: LockHolder
  /** How long an id is at most that the other store can hold: in UTF-16 code units. */
  readonly longestId: number
}

// Bytes are more than units, which SQLite does not count.
const LONG_IDS = new Query<RecordName>('SELECT account, resource, id FROM records WHERE octet_length(id) > ?')
const LEAVE = `UPDATE relocation SET state = 'left'`

interface RecordName {
  readonly account: string
  readonly resource: string
  readonly id: string
}

/** A store in a file, locked: no daemon works on it, and whatever a command would write waits. */
export class LeavingFile implements LeavingStore {
  readonly place: string
  readonly #lock: StoreLock
  readonly #db: Connection
  readonly #longestId: number

  private constructor(lock: StoreLock, db: Connection, longestId: number) {
    this.place = db.path
    this.#lock = lock
    this.#db = db
    this.#longestId = longestId
  }

  /** Brings its schema up to date. Throws `store_locked`, `store_unusable`, `store_newer`. */
  static open({ holder, longestId, path }: LeavingFileOptions): LeavingFile {
    using opening = new DisposableStack()
    const lock = opening.use(lockStore(path, holder))
    const db = opening.use(connectStore({ path, locked: true }))
    lock.nameStore()
    // A mark that a power cut took back would let a daemon go on beside those at the other place.
    db.script('PRAGMA synchronous = FULL')
    opening.move()
    return new LeavingFile(lock, db, longestId)
  }

  async prepare({ id, to }: { readonly id: string; readonly to: string }): Promise<Relocation> {
    const known = loadRelocation(this.#db)
    if (known?.state === 'left' && known.other === to) return known
    refuseRelocated(known, { kind: 'file', place: this.place })
    this.#refuseLongIds()
    await deliveryStore(this.#db, new OpenClaims()).recoverClaims()
    const relocation: Relocation = { id: known?.id ?? id, other: to, state: 'leaving' }
    this.#db.transact('BEGIN IMMEDIATE', () => saveRelocation(this.#db, relocation))
    return relocation
  }

  async leave<T>(work: (rows: StoredRows) => Promise<T>): Promise<T> {
    const db = this.#db
    return await db.hold(async () => {
      const result = await work(new FileRows(db))
      db.run(LEAVE)
      this.#lock.assertInPlace()
      return result
    })
  }

  #refuseLongIds(): void {
    const long = this.#db.all(LONG_IDS, this.#longestId).filter(({ id }) => id.length > this.#longestId)
    const [first] = long
    if (first === undefined) return
    const { account, id, resource } = first
    const amount = long.length === 1 ? 'a record whose id is' : `${long.length} records whose ids are`
    throw new ShipbellError(
      'store_unusable',
      `The store ${this.place} has ${amount} longer than ${this.#longestId} characters, which a database cannot find again (${resource} ${id.slice(0, 40)}… of ${account}): nothing was copied; it has to stay in its file.`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#db[Symbol.dispose]()
    this.#lock[Symbol.dispose]()
  }
}

const USED = new Query<{ used: number }>(USED_SQL)
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
    const notWhole = (why: string): string => `The copy ${partial.path} is not whole (${why}): check the disk.`
    const [newer, damaged] = [() => notWhole('newer'), () => notWhole('damaged')]
    judgeCopy(partial.path, { stranger: notWhole('stranger'), newer, damaged })
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

/** What is derived of rows comes with them. Indexes are made when all are there, because that takes less than half of the time. */
async function filled<T>(path: string, relocation: Relocation, work: (rows: WritableRows) => Promise<T>): Promise<T> {
  try {
    using db = new Connection(path, { readonly: false, busyTimeoutMs: 0 })
    migrate(db, { locked: true })
    db.script('PRAGMA foreign_keys = OFF')
    const deriving = db.all(DERIVING)
    for (const { name, type } of deriving) db.script(`DROP ${type} "${name}"`)
    for (const { key, name } of COPIED_TABLES) if (key.length === 0) db.script(`DELETE FROM ${name}`)
    const result = await work(new FileRows(db))
    for (const { sql } of deriving) db.script(sql)
    const dangling = db.one(DANGLING)
    if (dangling !== undefined)
      throw unusable(`Rows of ${dangling.table} refer to others that are not there: report it.`)
    db.transact('BEGIN IMMEDIATE', () => {
      saveRelocation(db, relocation)
      db.run(RENEW_SERIES)
      db.run(QUEUE_ALL)
    })
    return result
  } catch (error) {
    throw storeFailure(error, path)
  }
}

function unusable(message: string): ShipbellError {
  return new ShipbellError('store_unusable', message)
}

const MOST_ROWS = 1_000
const MOST_BYTES = 1_000_000

/** The rows of a store, by a connection that nobody else uses. */
class FileRows implements WritableRows {
  readonly #db: Connection

  constructor(db: Connection) {
    this.#db = db
  }

  async count(table: CopiedTable): Promise<number> {
    return this.#db.one(new Query<{ amount: number }>(`SELECT count(*) AS amount FROM ${table.name}`))?.amount ?? 0
  }

  async *batches({ name, names }: CopiedTable): AsyncGenerator<readonly Row[], void> {
    let batch: Row[] = []
    let bytes = 0
    for (const row of this.#db.lines(`SELECT ${names} FROM ${name}`)) {
      batch.push(row)
      bytes += row.reduce<number>((sum, value) => sum + sizeOf(value), 0)
      if (batch.length < MOST_ROWS && bytes < MOST_BYTES) continue
      yield batch
      batch = []
      bytes = 0
    }
    if (batch.length > 0) yield batch
  }

  async write({ insert: sql }: CopiedTable, rows: readonly Row[]): Promise<void> {
    this.#db.transact('BEGIN IMMEDIATE', () => {
      for (const row of rows) this.#db.run(sql, ...row)
    })
  }
}

function sizeOf(value: Value): number {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8
}
