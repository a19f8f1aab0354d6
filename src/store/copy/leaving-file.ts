import { ShipbellError } from '../../errors.ts'
import { refuseRelocated, type Relocation } from './relocation-row.ts'
import type { LeavingStore, StoredRows } from './copy-ports.ts'
import type { Connection } from '../file/connection.ts'
import { OpenClaims } from '../deliveries/open-claims.sqlite.ts'
import { deliveryStore } from '../deliveries/delivery-store.sqlite.ts'
import { connectStore } from '../file/open-store.ts'
import { Query } from '../file/query.ts'
import { loadRelocation, saveRelocation } from './relocation-row.sqlite.ts'
import { lockStore, type LockHolder, type StoreLock } from '../file/store-lock.ts'
import { FileRows } from './file-rows.ts'

export interface LeavingFileOptions {
  /** The path of a store that is there. */
  readonly path: string
  readonly holder: LockHolder
  /** How long an id is at most that the other store can hold: in UTF-16 code units. */
  readonly longestId: number
}

// Bytes are more than units, which SQLite does not count.
const LONG_IDS = new Query<RecordName>('SELECT account, resource, id FROM records WHERE octet_length(id) > ?')
const LEFT = `UPDATE relocation SET state = 'left'`

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
      db.run(LEFT)
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
