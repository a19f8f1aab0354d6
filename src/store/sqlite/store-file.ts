import { closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ShipbellError } from '../../errors.ts'

/**
 * Makes sure that `path` is a file that can be opened, and creates it, readable for its owner only, where it is missing
 * (SQLite gives its log files the mode of the database). Throws `store_unusable`.
 *
 * An existing file is never opened here: closing any descriptor of a file drops the locks that SQLite holds on it for this
 * process (POSIX `fcntl`).
 */
export function prepareFile(path: string, options: { readonly readonly: boolean }): void {
  const kind = kindOf(path)
  if (kind === 'other') throw unusable(`${path} is not a file: name a file in storage.path.`)
  if (kind === 'missing') {
    if (kindOf(dirname(path)) === 'missing') {
      throw unusable(`The folder ${dirname(path)} of the store does not exist: create it, or correct storage.path.`)
    }
    if (options.readonly) {
      throw unusable(`There is no store at ${path} yet: start \`shipbell run\` first, or correct storage.path.`)
    }
    createFile(path)
  }
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

function kindOf(path: string): 'missing' | 'file' | 'other' {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return 'missing'
    return stats.isFile() ? 'file' : 'other'
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
