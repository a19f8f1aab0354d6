/**
 * Every operational failure. The message is one sentence: what, where, what to do.
 *
 * - `usage`: the command line is wrong, or names an account or subscription that there is not
 * - `config_invalid`: the configuration is wrong; `problems` lists each one
 * - `not_found`: the event, delivery or held list that a command names is not there
 * - `wrong_state`: the state of what is named does not allow it
 * - `forbidden`: who asks may look and not act
 * - `negative`: the command ran and the answer is no
 * - `store_locked`: another process polls and delivers from this store
 * - `store_unusable`: the store cannot be opened, read or written
 * - `store_newer`: the store was written by a newer Shipbell
 * - `store_moved`: the store is not the one in use: it was moved, or is a copy that has yet to take its place
 * - `store_conflict`: a record changed between the read and the commit; the read is repeated
 * - `lease_lost`: another worker does by now what this one was to do alone; what it read is left to that one
 * - `daemon_missing`: no daemon runs, or it does not answer
 * - `port_in_use`: the address of a server cannot be bound
 * - `platform_unavailable`: the platform cannot be reached or does not answer usably
 * - `pass_incomplete`: a resource could not be read completely
 * - `bad_cursor`: a cursor is none of the list that it is given to
 * - `internal`: a broken invariant of Shipbell's own
 */
export type ErrorCode =
  | 'usage'
  | 'config_invalid'
  | 'not_found'
  | 'wrong_state'
  | 'forbidden'
  | 'negative'
  | 'store_locked'
  | 'store_unusable'
  | 'store_newer'
  | 'store_moved'
  | 'store_conflict'
  | 'lease_lost'
  | 'daemon_missing'
  | 'port_in_use'
  | 'platform_unavailable'
  | 'pass_incomplete'
  | 'bad_cursor'
  | 'internal'

export class ShipbellError extends Error {
  override readonly name = 'ShipbellError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A value in the body of a request that has the right form and cannot be. */
export class WrongValue extends ShipbellError {
  readonly key: string

  constructor(key: string, message: string) {
    super('usage', message)
    this.key = key
  }
}

/** Exit codes of guarantee C1: 1 the answer is no, 2 wrong command or configuration, 3 a needed service is missing. */
export function exitCodeOf(error: unknown): 1 | 2 | 3 {
  if (!(error instanceof ShipbellError)) return 1
  switch (error.code) {
    case 'negative':
    case 'not_found':
    case 'wrong_state':
    case 'forbidden':
    case 'internal':
    case 'store_conflict':
      return 1
    case 'usage':
    case 'config_invalid':
    case 'bad_cursor':
      return 2
    case 'store_locked':
    case 'store_unusable':
    case 'store_newer':
    case 'store_moved':
    case 'lease_lost':
    case 'daemon_missing':
    case 'port_in_use':
    case 'platform_unavailable':
    case 'pass_incomplete':
      return 3
    default:
      return error.code satisfies never
  }
}
