import { accessSync, closeSync, constants, lstatSync, openSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ShipbellError } from '../../errors.ts'
import { judgeHeader } from './judge-header.ts'
import { anotherDatabase, noAccess, noStore } from './store-failure.ts'

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

function unusable(message: string, cause?: unknown): ShipbellError {
  return new ShipbellError('store_unusable', message, { cause })
}
