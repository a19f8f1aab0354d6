import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const LOCK = Query.frequent<{ account: string; sequence: number }>(`
  SELECT account, last_sequence AS sequence FROM accounts WHERE account = ANY(:accounts::text[])
  ORDER BY account FOR NO KEY UPDATE`)
const REGISTER = new Query(`
  INSERT INTO accounts (account) SELECT account FROM unnest(:accounts::text[]) AS new (account) ORDER BY account
  ON CONFLICT DO NOTHING`)

/**
 * Holds accounts until the transaction ends: whoever writes their records, lists and pages does, so that what it has read of them
 * is still so when it writes. Makes the rows that are missing. Returns the last `sequence` of each.
 */
export async function lockAccounts(tx: Transaction, names: Iterable<string>): Promise<ReadonlyMap<string, number>> {
  const accounts = [...new Set(names)]
  let rows = await tx.all(LOCK, { accounts })
  if (rows.length < accounts.length) {
    await tx.run(REGISTER, { accounts })
    rows = await tx.all(LOCK, { accounts })
  }
  return new Map(rows.map(({ account, sequence }) => [account, sequence]))
}
