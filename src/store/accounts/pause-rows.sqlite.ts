import type { AccountPause, AccountRestraint, LearnedCeiling } from '../../model/account-limits.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { restraintOf, type RestraintRow } from './pause-rows.ts'

const FIND = new Query<RestraintRow>('SELECT pause, ceiling FROM accounts WHERE account = ?')
const SAVE = 'UPDATE accounts SET pause = ? WHERE account = ?'
const SAVE_CEILING = 'UPDATE accounts SET ceiling = ? WHERE account = ?'

export function loadRestraint(db: Connection, account: string): AccountRestraint {
  return restraintOf(db.one(FIND, account))
}

/** Runs inside the caller's write transaction; the account's row exists. */
export function savePause(db: Connection, account: string, pause: AccountPause | null): void {
  db.run(SAVE, pause === null ? null : JSON.stringify(pause), account)
}

/** Runs inside the caller's write transaction; the account's row exists. */
export function saveCeiling(db: Connection, account: string, ceiling: LearnedCeiling | null): void {
  db.run(SAVE_CEILING, ceiling === null ? null : JSON.stringify(ceiling), account)
}
