import type { EndpointSwitches } from '../../ledger/endpoint-state.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

interface LockedEndpoint extends EndpointSwitches {
  readonly subscription: string
  readonly ordered: number
}

const LOCK = new Query<LockedEndpoint>(`
  SELECT subscription, configured, enabled, disabled_at, ordered FROM endpoints
  WHERE subscription = ANY(:subscriptions::text[]) ORDER BY subscription FOR NO KEY UPDATE`)
const REGISTER = new Query(`
  INSERT INTO endpoints (subscription) SELECT name FROM unnest(:subscriptions::text[]) AS new (name) ORDER BY name
  ON CONFLICT DO NOTHING`)

/** Holds endpoints until the transaction ends, and makes the rows that are missing. Returns them by name. */
export async function lockEndpoints(
  tx: Transaction,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, LockedEndpoint>> {
  const subscriptions = [...new Set(names)]
  if (subscriptions.length === 0) return new Map()
  let rows = await tx.all(LOCK, { subscriptions })
  if (rows.length < subscriptions.length) {
    await tx.run(REGISTER, { subscriptions })
    rows = await tx.all(LOCK, { subscriptions })
  }
  return new Map(rows.map((row) => [row.subscription, row]))
}
