import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { ShipbellError } from '../../errors.ts'
import { PinnedFile } from './store-place.ts'
import { assertUsable, canonicalPath, isBusy, prepareFile, storeFailure, unusable } from './store-file.ts'

export interface LockHolder {
  readonly pid: number
  readonly command: string
  /** ISO date-time. */
  readonly since: string
  readonly host: string
}

/** Held until it is disposed of. */
export interface StoreLock extends Disposable {
  /** Throws `store_unusable` where the lock's file was deleted, moved or replaced: another process may have the store. */
  assertInPlace(): void
  /**
   * Says which file is the store: the one at its path, which this process has open now, or one that is about to be. No other may
   * be opened by others. Throws `store_locked` where another process took the lock meanwhile.
   */
  nameStore(file?: string): void
}

/** The command that replaces the file at the store's path while it holds the lock. */
export const RESTORE = 'restore'

/**
 * Long enough to outlast another process that is just writing its name into the lock, so that a refusal names the one that
 * holds it.
 */
const BUSY_TIMEOUT_MS = 250

/** Outlasts another process that asks as well. */
const ASKING_TIMEOUT_MS = 20

const NAME_HOLDER = `
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL, command TEXT NOT NULL, since TEXT NOT NULL, host TEXT NOT NULL) STRICT;
  DELETE FROM holder;
  CREATE TABLE IF NOT EXISTS store (identity TEXT NOT NULL) STRICT;
  DELETE FROM store;`

/**
 * Holds the store at `path` for this process until disposed. The lock is SQLite's write lock on a small database beside the
 * store (`PATH.lock`): the kernel drops it with the process, however that dies. Throws `store_locked`, naming the holder,
 * where another process has it, and `store_unusable` where the lock cannot be made, or the store not be opened: no lock is
 * left beside what is no store.
 */
export function lockStore(path: string, holder: LockHolder): StoreLock {
  const store = canonicalPath(path)
  // Where there is a lock, this process may have the store open already. Opening judges the store all the same.
  if (!existsSync(lockOf(store))) assertUsable(store)
  return lockOpenStore(store, holder)
}

/** Holds a store that this process may have open, by its canonical path. */
export function lockOpenStore(store: string, holder: LockHolder): StoreLock {
  const file = lockOf(store)
  prepareFile(file, { readonly: false })
  try {
    using opening = new DisposableStack()
    const lock = opening.adopt(new Sqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS }), (db) => db.close())
    const take = (named: PinnedFile | null): void => {
      try {
        if (lock.inTransaction) lock.exec('COMMIT')
        acquire(lock, holder, named)
      } catch (error) {
        throw isBusy(error) ? refused(lock, store) : error
      }
    }
    take(null)
    const pinned = PinnedFile.at(file)
    const assertInPlace = (): void => {
      if (pinned?.isInPlace !== true) throw unusable(lockLost(file))
    }
    opening.move()
    return {
      assertInPlace,
      nameStore: (named = store) => take(PinnedFile.at(named)),
      [Symbol.dispose]: () => void lock.close(),
    }
  } catch (error) {
    throw storeFailure(error, file)
  }
}

/**
 * Throws `store_locked` where a process holds the store and has another file open than the one at its path: that one would be
 * opened with the log of the other, and both be damaged.
 */
export function assertHeldHere(path: string): void {
  const store = canonicalPath(path)
  const held = heldStore(lockOf(store))
  if (held === null || held.identity === PinnedFile.at(store)?.identity || !isHeld(store)) return
  throw new ShipbellError('store_locked', replaced(store, held.holder))
}

/** What the last holder said; null: nothing, or there is no lock that this process may read. */
function heldStore(file: string): { readonly identity: string; readonly holder: LockHolder | undefined } | null {
  return readLock(file, (lock) => {
    const identity = lock.prepare<[], { identity: string }>('SELECT identity FROM store').get()?.identity
    return identity === undefined ? null : { identity, holder: readHolder(lock) }
  })
}

/** What a lock says; null: there is none, or this process may not read it. */
function readLock<T>(file: string, read: (lock: Sqlite.Database) => T | null): T | null {
  if (!existsSync(file)) return null
  try {
    const lock = new Sqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS })
    try {
      return read(lock)
    } finally {
      lock.close()
    }
  } catch {
    return null
  }
}

/**
 * Whether another process holds the store at `path`. SQLite tells nobody whether a lock is held but who tries to take it, so this
 * one is taken and given back at once. Nothing is written: the name of who held it last stays, and a process that takes the
 * lock in this moment waits for it.
 */
export function isLocked(path: string): boolean {
  const store = canonicalPath(path)
  return existsSync(lockOf(store)) && isHeld(store)
}

/** Who holds the store at `path` now, by its own word; null: nobody does, or its lock may not be read by this process. */
export function lockHolderOf(path: string): LockHolder | null {
  const store = canonicalPath(path)
  return readLock(lockOf(store), (lock) => (isHeld(store) ? (readHolder(lock) ?? null) : null))
}

function isHeld(store: string): boolean {
  const lock = new Sqlite(lockOf(store), { fileMustExist: true, timeout: ASKING_TIMEOUT_MS })
  try {
    lock.exec('BEGIN IMMEDIATE')
    return false
  } catch (error) {
    return isBusy(error)
  } finally {
    lock.close()
  }
}

function replaced(store: string, holder: LockHolder | undefined): string {
  if (holder?.command === RESTORE)
    return `The store ${store} is being restored by process ${holder.pid}: wait for its end.`
  const who = holder === undefined ? 'Another process' : `Process ${holder.pid} (${holder.command})`
  return `${who} has another file open than the one at ${store}, which was replaced meanwhile: put that very file back, or stop the process first.`
}

/** Whether a process ever locked a store at `path`: where that is gone, it was there. */
export function hasLock(path: string): boolean {
  return existsSync(lockOf(canonicalPath(path)))
}

function lockOf(store: string): string {
  return `${store}.lock`
}

/**
 * The holder's name must be committed to be read by others, and a commit lets the lock go: so it is taken twice, and who
 * loses it in between is refused by the one that took it.
 */
function acquire(lock: Sqlite.Database, { pid, command, since, host }: LockHolder, store: PinnedFile | null): void {
  lock.pragma('journal_mode = DELETE')
  lock.exec(NAME_HOLDER)
  lock.prepare('INSERT INTO holder VALUES (?, ?, ?, ?)').run(pid, command, since, host)
  if (store !== null) lock.prepare('INSERT INTO store VALUES (?)').run(store.identity)
  lock.exec('COMMIT')
  lock.exec('BEGIN IMMEDIATE')
}

function refused(lock: Sqlite.Database, store: string): ShipbellError {
  const holder = readHolder(lock)
  const who =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} on ${holder.host} (${holder.command}, since ${holder.since})`
  return new ShipbellError('store_locked', `The store ${store} is in use by ${who}: stop that process first.`)
}

/** The holder's name is only for messages: a lock that cannot be read is still held. */
function readHolder(lock: Sqlite.Database): LockHolder | undefined {
  try {
    if (lock.inTransaction) lock.exec('ROLLBACK')
    return lock.prepare<[], LockHolder>('SELECT pid, command, since, host FROM holder').get()
  } catch {
    return undefined
  }
}

function lockLost(file: string): string {
  return `The lock ${file} of the store was deleted, moved or replaced while it was held, and another process may have the store: stop all of them, and start one.`
}
