import type { Transaction } from '../server/database.ts'
import { lockEndpoints } from '../endpoints/endpoint-lock.postgres.ts'
import { lockLog } from '../events/event-rows.postgres.ts'
import { Query } from '../server/query.ts'

const SUBSCRIPTIONS = new Query<{ subscription: string }>(
  'SELECT DISTINCT subscription FROM deliveries WHERE event = ANY(:refs::bigint[])',
)
const HOLD = new Query('SELECT 1 FROM events WHERE ref = ANY(:refs::bigint[]) ORDER BY ref FOR UPDATE')

/**
 * Holds events with their rows until the transaction ends: no row of them is made, or made due, meanwhile. The log is held first,
 * as its spans and totals follow the events. What was read of them before is to be read again.
 */
export async function holdEvents(tx: Transaction, refs: readonly number[]): Promise<void> {
  await lockLog(tx)
  const subscriptions = await tx.all(SUBSCRIPTIONS, { refs })
  await lockEndpoints(
    tx,
    subscriptions.map(({ subscription }) => subscription),
  )
  await tx.all(HOLD, { refs })
}
