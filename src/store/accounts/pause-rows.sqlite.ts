import type { AccountPause, LearnedCeiling } from '../../model/account-limits.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const FIND = new Query<{ pause: string | null }>('SELECT pause FROM accounts WHERE account = ?')
const FIND_CEILING = new Query<{ ceiling: string | null }>('SELECT ceiling FROM accounts WHERE account = ?')
const SAVE = 'UPDATE accounts SET pause = ? WHERE account = ?'
const SAVE_CEILING = 'UPDATE accounts SET ceiling = ? WHERE account = ?'

export function loadPause(db: Connection, account: string): AccountPause | null {
  const text = db.one(FIND, account)?.pause ?? null
  return text === null ? null : JSON.parse(text)
}

/** Runs inside the caller's write transaction; the account's row exists. */
export function savePause(db: Connection, account: string, pause: AccountPause | null): void {
  db.run(SAVE, pause === null ? null : JSON.stringify(pause), account)
}

export function loadCeiling(db: Connection, account: string): LearnedCeiling | null {
  const text = db.one(FIND_CEILING, account)?.ceiling ?? null
  return text === null ? null : JSON.parse(text)
}

/** Runs inside the caller's write transaction; the account's row exists. */
export function saveCeiling(db: Connection, account: string, ceiling: LearnedCeiling | null): void {
  db.run(SAVE_CEILING, ceiling === null ? null : JSON.stringify(ceiling), account)
}
