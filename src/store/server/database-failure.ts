import { DatabaseError } from 'pg'
import { ShipbellError } from '../../errors.ts'
import { ConnectionLost } from './connection.ts'

/** Codes of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const AGAIN = new Set(['40001', '40P01', '55P03'])
const LOCKED = '55P03'
const NO_RIGHT = '42501'
const NO_SCHEMA = '3F000'
const STATEMENT_TIMEOUT = '57014'
const FULL = '53300'
/** The code of `refuse_moved`, which says where to. */
const MOVED = 'SB'
/**
 * The server ends, starts or recovers, ends what takes long, or has no place for another connection; or a plan that it kept is of no
 * use any more, because another worker has changed the schema, or something in between mixes up whose it is.
 */
const AWAY = /^(?:08...|57P0[1-5]|53300|25P0[34]|25006|XX000|0A000|26000|42P05)$/

/** Throws where a transaction may be done anew: another one was in its way. */
export function isContended(error: unknown): boolean {
  return error instanceof DatabaseError && AGAIN.has(error.code ?? '')
}

/** Whether the connection is of no use any more: another one may lead to a server that is. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof DatabaseError ? AWAY.test(error.code ?? '') : error instanceof ConnectionLost
}

/** Whether the server has no place for another connection. */
export function isFull(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === FULL
}

/** Whether what a store threw says that the database is away, for now; else the database refuses, for good. */
export function isAway(error: unknown): boolean {
  return error instanceof ShipbellError && error.code === 'store_unusable' && isConnectionLost(error.cause)
}

/** Whether what a store threw says that a table was not to be had in time. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof ShipbellError && error.cause instanceof DatabaseError && error.cause.code === LOCKED
}

/** What the database refuses becomes `store_unusable` with a sentence for an operator; anything else is handed back as it is. */
export function databaseFailure(error: unknown, place: string): unknown {
  if (error instanceof SyntaxError)
    return unusable(`The database ${place} holds damaged text (${error.message}): restore a backup.`, error)
  if (!(error instanceof DatabaseError)) return error
  return unusable(sentence(error, place), error)
}

function sentence({ code = '', message }: DatabaseError, place: string): string {
  if (code === NO_SCHEMA)
    return `The database ${place} has no schema for the tables: create the one that search_path of its user names.`
  if (code === STATEMENT_TIMEOUT)
    return `The database ${place} ended a statement (${message}): raise statement_timeout of the user in storage.url.`
  switch (code === NO_RIGHT ? '28' : code.slice(0, 2)) {
    case '28':
      return `The database ${place} refuses (${message}): check the user, the password and their rights in storage.url.`
    case '3D':
      return `The database ${place} does not exist: create it, or correct storage.url.`
    case MOVED:
      return `The store ${place} was ${message}: name that in storage.path.`
    case '53':
      return `The database ${place} has no room (${message}): free some; nothing that was committed is lost.`
    default:
      return `The database ${place} failed (${code}: ${message}): look into its log.`
  }
}

export function unreachable(place: string, error: unknown): ShipbellError {
  const why = error instanceof Error && error.message !== '' ? error.message : String(error)
  if (isFull(error))
    return unusable(`The database ${place} has no connection left (${why}): allow more, or lower storage.pool.`, error)
  return unusable(`The database ${place} cannot be reached (${why}): start it, or correct storage.url.`, error)
}

function unusable(sentenceOf: string, cause: unknown): ShipbellError {
  return new ShipbellError('store_unusable', sentenceOf, { cause })
}
