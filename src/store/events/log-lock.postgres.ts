import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const LOCK = new Query('SELECT hold_log()')

/** Holds the log until the transaction ends. */
export async function lockLog(tx: Transaction): Promise<void> {
  await tx.all(LOCK)
}
