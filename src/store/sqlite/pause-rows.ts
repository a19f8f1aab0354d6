import type { AccountPause } from '../../model/account-pause.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const FIND = new Query<{ pause: string | null }>('SELECT pause FROM accounts WHERE account = ?')
const SAVE = 'UPDATE accounts SET pause = ? WHERE account = ?'

export function loadPause(db: Connection, account: string): AccountPause | null {
  const text = db.one(FIND, account)?.pause ?? null
  return text === null ? null : JSON.parse(text)
}

/** Runs inside the caller's write transaction; the account's row exists. */
export function savePause(db: Connection, account: string, pause: AccountPause | null): void {
  db.run(SAVE, pause === null ? null : JSON.stringify(pause), account)
}
