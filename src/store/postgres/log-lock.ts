import type { Transaction } from './database.ts'
import { Query } from './query.ts'

/** Of `pg_advisory_xact_lock`. */
const STORING = 1_397_244_493

const LOCK = new Query('SELECT pg_advisory_xact_lock(:storing)')

/**
 * Holds the log until the transaction ends: whoever stores events does, so that the order of `events.ref` is that of the commits,
 * and whoever writes what counts them. Endpoints are held after it.
 */
export async function lockLog(tx: Transaction): Promise<void> {
  await tx.all(LOCK, { storing: STORING })
}
