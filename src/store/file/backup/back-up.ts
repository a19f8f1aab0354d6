import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { ShipbellError } from '../../../errors.ts'
import type { StoreContents } from '../../ports/store-contents.ts'
import { Connection } from '../connection.ts'
import { anotherDatabase, canonicalPath, storeFailure, unusable } from '../store-file.ts'
import { assertHeldHere, isLocked } from '../store-lock.ts'
import { judgeCopy, type Refusals } from './judge-copy.ts'
import { PartialFile, strayLog } from './partial-file.ts'

export interface BackupOptions {
  /** The path of the store, which is there. */
  readonly store: string
  /** Where the copy goes: absolute. */
  readonly file: string
  /** Whether a file that is there already is replaced. */
  readonly replace: boolean
  /** Ends it, and nothing is left. */
  readonly signal: AbortSignal
}

const BUSY_TIMEOUT_MS = 5_000

/**
 * Copies one state of a store, which may be in use, into a file of its own (mode 0600), checks all of the copy, and lets it take
 * its place: that holds a whole copy or what it held before. Throws `usage` for a place that cannot be taken, `store_unusable`
 * and `store_newer`.
 */
export async function backUp({ store, file, replace, signal }: BackupOptions): Promise<StoreContents> {
  const path = canonicalPath(store)
  assertPlace(file, { store: path, replace })
  try {
    using partial = new PartialFile(file)
    await copyState(path, partial.path, signal)
    const contents = judgeCopy(partial.path, refusalsOf(path))
    signal.throwIfAborted()
    assertPlace(file, { store: path, replace })
    partial.publish()
    return contents
  } catch (error) {
    throw signal.aborted ? error : notWritten(error, file)
  }
}

/** The state of one moment: that is held for as long as pages are copied, so writers neither wait nor make it begin again. */
async function copyState(store: string, file: string, signal: AbortSignal): Promise<void> {
  assertHeldHere(store)
  try {
    using db = new Connection(store, { readonly: true, busyTimeoutMs: BUSY_TIMEOUT_MS })
    await db.copyTo(file, () => signal.throwIfAborted())
  } catch (error) {
    throw isAboutCopy(error) ? error : storeFailure(error, store)
  }
}

/** Nothing is written to the store: whatever cannot be written is the copy. SQLite does not say which of two disks failed. */
function isAboutCopy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(?:FULL|READONLY|IOERR)/.test(error.code)
}

function assertPlace(file: string, { store, replace }: { readonly store: string; readonly replace: boolean }): void {
  const folder = dirname(file)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usage(`The folder ${folder} does not exist: create it, or name another FILE.`)
  const place = canonicalPath(file)
  if (['', '-wal', '-shm', '-journal', '.lock'].some((suffix) => place === store + suffix))
    throw usage(`${file} belongs to the store itself: name another FILE for its copy.`)
  const log = strayLog(file)
  if (log !== null) throw usage(`${log} belongs to a database that was open there: name another FILE, or move it away.`)
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (there === undefined) return
  if (there.isDirectory()) throw usage(`${file} is a folder: name a FILE in it.`)
  if (!replace) throw usage(`${file} exists and is left alone: name another FILE, or replace it with --force.`)
  if (existsSync(file) && isLocked(file)) throw usage(`${file} is a store in use: name another FILE.`)
}

function refusalsOf(store: string): Refusals {
  return {
    stranger: anotherDatabase(store),
    newer: (schema, newest) =>
      `The store ${store} was written by a newer Shipbell (schema ${schema}, this one knows ${newest}): back it up with that one.`,
    damaged: (why) => `The store ${store} is damaged (${why}), and no backup was made: restore an earlier one.`,
  }
}

function notWritten(error: unknown, file: string): unknown {
  if (error instanceof ShipbellError || !(error instanceof Error && 'code' in error)) return error
  return unusable(
    `The backup ${file} could not be made (${error.message}): make room there, or check the disk; nothing is left of it.`,
    error,
  )
}

function usage(message: string): ShipbellError {
  return new ShipbellError('usage', message)
}
