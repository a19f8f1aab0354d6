import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const ACCOUNTS = new Query<{ account: string }>(`SELECT account FROM accounts WHERE account <> '' ORDER BY account`)

/** Every account that was ever polled, or only the one that is asked for. */
export async function accountNames(db: Pick<Transaction, 'all'>, only?: string): Promise<readonly string[]> {
  return only === undefined ? (await db.all(ACCOUNTS)).map(({ account }) => account) : [only]
}
