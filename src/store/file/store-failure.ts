import Sqlite from 'better-sqlite3'
import { ShipbellError } from '../../errors.ts'

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

export function noStore(path: string): string {
  return `The file ${path} is not a Shipbell store: name another file in storage.path.`
}

export function anotherDatabase(path: string): string {
  return `The file ${path} is a database of another program: name another file in storage.path.`
}

export function noAccess(path: string, { message }: { readonly message: string }): string {
  return `The store ${path} cannot be opened or written (${message}): give this user access to the file and its folder.`
}

function damaged(path: string, { message }: { readonly message: string }): string {
  return `The store ${path} is damaged (${message}): restore a backup, or move the file away to start with a new baseline.`
}
