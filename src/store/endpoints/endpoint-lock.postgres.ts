import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { IS_OPEN } from './open-endpoint.ts'

const LOCK = new Query<{ subscription: string; open: boolean }>(`
  SELECT subscription, ${IS_OPEN} AS open FROM endpoints
  WHERE subscription = ANY(:subscriptions::text[]) ORDER BY subscription FOR NO KEY UPDATE`)
const REGISTER = new Query(`
  INSERT INTO endpoints (subscription) SELECT name FROM unnest(:subscriptions::text[]) AS new (name) ORDER BY name
  ON CONFLICT DO NOTHING`)

/** Holds endpoints until the transaction ends, and makes the rows that are missing. Returns those that are open. */
export async function lockEndpoints(tx: Transaction, names: Iterable<string>): Promise<ReadonlySet<string>> {
  const subscriptions = [...new Set(names)]
  if (subscriptions.length === 0) return new Set()
  let rows = await tx.all(LOCK, { subscriptions })
  if (rows.length < subscriptions.length) {
    await tx.run(REGISTER, { subscriptions })
    rows = await tx.all(LOCK, { subscriptions })
  }
  return new Set(rows.flatMap(({ open, subscription }) => (open ? [subscription] : [])))
}
