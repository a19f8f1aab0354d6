import Sqlite from 'better-sqlite3'
import { canonicalPath, judgeHeader, storeFailure, unusable } from '../store-file.ts'
import { createReadStream, createWriteStream, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ShipbellError } from '../../../errors.ts'
import type { StoreContents } from '../../ports/store-contents.ts'
import { isLocked, type LockHolder, lockStore, type StoreLock } from '../store-lock.ts'
import { keptNameOf, PartialFile, removePartials } from './partial-file.ts'
import { Connection } from '../connection.ts'
import { RENEW_SERIES } from '../../endpoints/sync-endpoints.sqlite.ts'
import { judgeCopy, type Refusals, writeLogInto } from './judge-copy.ts'

/**
 * Writes what the log of a store holds into the store, which is one file then. Returns false where it is too damaged for that:
 * the log stays as it is. Throws `store_unusable` while another program has the store open.
 */
function settleLog(store: string): boolean {
  try {
    writeLogInto(store)
    return true
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && !/^SQLITE_(?:BUSY|LOCKED)/.test(error.code)) return false
    throw storeFailure(error, store)
  }
}

/** The schema from which on rows of subscriptions are numbered. An older one names its series when it is brought up to date. */
const NUMBERS_ROWS = 24

function renewSeries(file: string): void {
  using db = new Connection(file, { readonly: false, busyTimeoutMs: 0 })
  db.script(RENEW_SERIES)
}

interface RestoreOptions {
  /** The backup: absolute. It is only read. */
  readonly file: string
  /** The store that it replaces, which may be missing or damaged. */
  readonly store: string
  readonly holder: LockHolder
  /** Ends it, and nothing has changed. */
  readonly signal: AbortSignal
}

export interface Restored {
  readonly contents: StoreContents
  /** Where the store that was there is now; null: there was none. */
  readonly kept: string | null
}

/**
 * Replaces a store by a backup, which is checked first. Whenever the process dies, the store is the old one or the new one, and
 * whole. Throws `usage`, `store_locked` where a process holds the store, `store_unusable` and `store_newer`: nothing has changed then.
 */
export async function restore({ file, store, holder, signal }: RestoreOptions): Promise<Restored> {
  const path = canonicalPath(store)
  assertBackup(file, path)
  // What waits for the copy of a large file to be refused waits for nothing.
  if (isLocked(path)) lockStore(path, holder)[Symbol.dispose]()
  try {
    using partial = new PartialFile(path)
    await copyFile(file, partial.path, signal)
    const contents = judgeCopy(partial.path, refusalsOf(file))
    if (contents.schema >= NUMBERS_ROWS) renewSeries(partial.path)
    signal.throwIfAborted()
    using lock = lockStore(path, holder)
    removePartials(path, partial)
    return { contents, kept: replace(path, { partial, lock, since: holder.since }) }
  } catch (error) {
    throw signal.aborted ? error : notReplaced(error, path)
  }
}

interface Replacement {
  readonly partial: PartialFile
  readonly lock: StoreLock
  readonly since: string
}

/**
 * The old store gets a second name before the new one takes its place, which is one step for the file system: there is a store at
 * every moment. Its log is gone by then, or it would be taken for the new one's. Commands that write are refused meanwhile:
 * to them the lock says that the new file is the store.
 */
function replace(path: string, { partial, lock, since }: Replacement): string | null {
  lock.nameStore(partial.path)
  if (!existsSync(path)) {
    removeLog(path)
    partial.publish()
    return null
  }
  const kept = keptNameOf(path, since)
  const isSettled = settleLog(path)
  linkSync(path, kept)
  if (!isSettled && existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`)
  removeLog(path)
  partial.publish()
  return kept
}

function removeLog(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
}

function assertBackup(file: string, store: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new ShipbellError('usage', `There is no file ${file}: name one that \`shipbell backup\` wrote.`)
  if (canonicalPath(file) === store)
    throw new ShipbellError('usage', `${file} is the store itself: name the backup that is to replace it.`)
  if (isLocked(file)) throw unusable(`${file} is a store in use: make a copy of it with \`shipbell backup\` first.`)
  const held = headerOf(file)
  if (held !== 'store') throw unusable(noBackup(file))
}

function headerOf(file: string): ReturnType<typeof judgeHeader> {
  try {
    return judgeHeader(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw unusable(`The backup ${file} cannot be read (${reason}): give this user access to it.`, error)
  }
}

/** With the log beside it, if it was copied with one. Nothing is opened that may be written: the backup stays as it is. */
async function copyFile(file: string, copy: string, signal: AbortSignal): Promise<void> {
  await pipeline(createReadStream(file), createWriteStream(copy, { flags: 'r+' }), { signal })
  if (!existsSync(`${file}-wal`)) return
  const log = createWriteStream(`${copy}-wal`, { flags: 'wx', mode: 0o600 })
  await pipeline(createReadStream(`${file}-wal`), log, { signal })
}

function refusalsOf(file: string): Refusals {
  return {
    stranger: noBackup(file),
    newer: (schema, newest) =>
      `The backup ${file} was made by a newer Shipbell (schema ${schema}, this one knows ${newest}): update Shipbell, or restore an older backup.`,
    damaged: (why) => `The backup ${file} is damaged (${why}): restore another one; nothing was changed.`,
  }
}

function noBackup(file: string): string {
  return `The file ${file} is not a Shipbell store: name one that \`shipbell backup\` wrote; nothing was changed.`
}

function notReplaced(error: unknown, store: string): unknown {
  if (error instanceof ShipbellError || !(error instanceof Error && 'code' in error)) return error
  return unusable(
    `The store ${store} was not replaced (${error.message}): make room, or give this user access to its folder.`,
    error,
  )
}
