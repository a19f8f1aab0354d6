import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const ACCOUNTS = new Query<{ account: string }>(`SELECT account FROM accounts WHERE account <> '' ORDER BY account`)

/** Every account that was ever polled, or only the one that is asked for. */
export function accountNames(db: Connection, only?: string): readonly string[] {
  return only === undefined ? db.all(ACCOUNTS).map(({ account }) => account) : [only]
}
