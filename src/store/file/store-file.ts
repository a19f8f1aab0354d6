import Sqlite from 'better-sqlite3'
import { ShipbellError } from '../../errors.ts'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * What SQLite refuses becomes `store_unusable` with a sentence for an operator, and so does a stored text that is no JSON;
 * anything else is handed back as it is.
 */
export function storeFailure(error: unknown, path: string): unknown {
  if (error instanceof SyntaxError) return unusable(damaged(path, error), error)
  return error instanceof Sqlite.SqliteError ? unusable(sentence(error, path), error) : error
}

export function unusable(message: string, cause?: unknown): ShipbellError {
  return new ShipbellError('store_unusable', message, { cause })
}

/** Whether another program has the file locked, also where that was told as `store_unusable`. */
export function isBusy(error: unknown): boolean {
  const cause = error instanceof ShipbellError ? error.cause : error
  return cause instanceof Sqlite.SqliteError && cause.code.startsWith('SQLITE_BUSY')
}

/** `SQLITE_IOERR_WRITE` and its like are kinds of a primary code: https://sqlite.org/rescode.html */
function sentence(error: { readonly code: string; readonly message: string }, path: string): string {
  switch (error.code.split('_', 2).join('_')) {
    case 'SQLITE_NOTADB':
      return noStore(path)
    case 'SQLITE_CORRUPT':
      return damaged(path, error)
    case 'SQLITE_READONLY':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_PERM':
    case 'SQLITE_AUTH':
      return noAccess(path, error)
    case 'SQLITE_FULL':
      return `The store ${path} cannot grow, the disk is full: free some space; nothing that was committed is lost.`
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return `The store ${path} is locked by another program (${error.message}): end that program and try again.`
    case 'SQLITE_IOERR':
      return `The store ${path} cannot be read or written (${error.code}): check its disk.`
    default:
      return `The store ${path} failed (${error.code}: ${error.message}): check its disk, or restore a backup.`
  }
}

function noStore(path: string): string {
  return `The file ${path} is not a Shipbell store: name another file in storage.path.`
}

export function anotherDatabase(path: string): string {
  return `The file ${path} is a database of another program: name another file in storage.path.`
}

function noAccess(path: string, { message }: { readonly message: string }): string {
  return `The store ${path} cannot be opened or written (${message}): give this user access to the file and its folder.`
}

function damaged(path: string, { message }: { readonly message: string }): string {
  return `The store ${path} is damaged (${message}): restore a backup, or move the file away to start with a new baseline.`
}

/**
 * Makes sure that `path` is a file that can be opened, and creates it, readable for its owner only, where it is missing
 * (SQLite gives its log files the mode of the database). Throws `store_unusable`.
 *
 * An existing file is never opened here: closing any descriptor of a file drops the locks that SQLite holds on it for this
 * process (POSIX `fcntl`).
 */
export function prepareFile(path: string, options: { readonly readonly: boolean }): void {
  if (assertPossible(path) === 'file') {
    if (!options.readonly) assertOneName(path)
    return
  }
  if (options.readonly) {
    throw unusable(`There is no store at ${path} yet: start \`shipbell run\` first, or correct storage.path.`)
  }
  createFile(path)
}

/**
 * Throws `store_unusable` where no store can be opened at `path`, which is there or not. Opens the file: for who has no connection to
 * it (see `prepareFile`).
 */
export function assertUsable(path: string): void {
  if (assertPossible(path) === 'missing') return
  assertOneName(path)
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    const held = judgeHeader(path)
    if (held === 'no database') throw unusable(noStore(path))
    if (held === 'another database') throw unusable(anotherDatabase(path))
  } catch (error) {
    if (error instanceof ShipbellError) throw error
    throw unusable(noAccess(path, { message: messageOf(error) }), error)
  }
}

function assertPossible(path: string): 'missing' | 'file' {
  const kind = kindOf(path)
  if (kind === 'other') throw unusable(`${path} is not a file: name a file in storage.path.`)
  if (kind === 'dangling')
    throw unusable(`${path} is a link to a file that is not there: correct the link, or storage.path.`)
  if (kind === 'missing' && kindOf(dirname(path)) === 'missing') {
    throw unusable(`The folder ${dirname(path)} of the store does not exist: create it, or correct storage.path.`)
  }
  return kind
}

/** SQLite's log and the lock go by the name: under two names one store would have two of each, and be damaged. */
function assertOneName(path: string): void {
  const links = statSync(path, { throwIfNoEntry: false })?.nlink ?? 1
  if (links < 2) return
  throw unusable(
    `The store ${path} is one file with ${links} names (hard links), and may be in use by another of them: remove the other names, or copy the file and name the copy in storage.path.`,
  )
}

/** One name for one file, however it is reached. */
export function canonicalPath(path: string): string {
  const absolute = resolve(path)
  try {
    return realpathSync(absolute)
  } catch {
    return join(existingFolder(dirname(absolute)), basename(absolute))
  }
}

function existingFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

function kindOf(path: string): 'missing' | 'dangling' | 'file' | 'other' {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats !== undefined) return stats.isFile() ? 'file' : 'other'
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? 'missing' : 'dangling'
  } catch (error) {
    throw unusable(`${path} cannot be reached (${messageOf(error)}): correct storage.path or its permissions.`, error)
  }
}

function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (isExisting(error)) return
    throw unusable(
      `The store ${path} cannot be created (${messageOf(error)}): make its folder writable for this user, or correct storage.path.`,
      error,
    )
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** `PRAGMA application_id` of a store, set by the first migration: "SHBL". */
export const APPLICATION_ID = 1_397_244_492

/** How a store's file begins (https://sqlite.org/fileformat.html): with the database's header, then that of its first page. */
const MAGIC = 'SQLite format 3\0'
const APPLICATION_AT = 68
const FIRST_PAGE_AT = 100
const LEAF_OF_A_TABLE = 0x0d
const LENGTH = 108

/**
 * What a file holds, by its first bytes. A store that was just made may have all but its header in its log: what may be one
 * is taken for one. Opens the file: for who has no connection to it (POSIX drops SQLite's locks on a file with any descriptor of it).
 */
export function judgeHeader(path: string): 'store' | 'another database' | 'no database' {
  const header = Buffer.alloc(LENGTH)
  const descriptor = openSync(path, 'r')
  try {
    const length = readSync(descriptor, header, 0, LENGTH, 0)
    if (length === 0) return 'store'
    if (length < LENGTH || header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'no database'
  } finally {
    closeSync(descriptor)
  }
  if (header.readUInt32BE(APPLICATION_AT) === APPLICATION_ID) return 'store'
  const isEmpty = header[FIRST_PAGE_AT] === LEAF_OF_A_TABLE && header.readUInt16BE(FIRST_PAGE_AT + 3) === 0
  return isEmpty ? 'store' : 'another database'
}

const OTHERS = 0o077
const BESIDE = ['', '-wal', '-shm', '.lock']

/**
 * Takes a store and what lies beside it from everybody but its owner. Returns the files that others may still read or write:
 * they are another user's, or on a file system without permissions. Nothing is opened: closing a file would drop SQLite's locks.
 */
export function keepToOwner(path: string): readonly string[] {
  // Windows has no such modes.
  if (process.platform === 'win32') return []
  return BESIDE.map((suffix) => path + suffix).filter((file) => !isOwnersOnly(file))
}

function isOwnersOnly(file: string): boolean {
  const mode = modeOf(file)
  if ((mode & OTHERS) === 0) return true
  try {
    chmodSync(file, mode & 0o700)
  } catch {
    return false
  }
  return (modeOf(file) & OTHERS) === 0
}

/** 0: it is not there. */
function modeOf(file: string): number {
  return (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
}
