import type { DeliveryState } from '../../model/delivery.ts'
import type { EndpointOverview } from '../ports/query-port.ts'
import { toFacts, type FactsRow } from '../endpoints/endpoint-facts.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

interface EndpointRow extends FactsRow {
  readonly configured: number
  readonly enabled: number
  readonly oldestPendingAt: number | null
  readonly states: readonly DeliveryState[] | null
  readonly amounts: readonly string[] | null
}

const ENDPOINTS = new Query<EndpointRow>(`
  SELECT endpoints.*, tally.states, tally.amounts, (
      SELECT stored_at FROM events WHERE ref = (
        SELECT event FROM deliveries
        WHERE subscription = endpoints.subscription AND state = 'pending' AND test = 0 ORDER BY event LIMIT 1
      )
    ) AS "oldestPendingAt"
  FROM endpoints LEFT JOIN LATERAL (
    SELECT array_agg(state) AS states, array_agg(amount::text) AS amounts FROM tallies
    WHERE subscription = endpoints.subscription
  ) AS tally ON true
  ORDER BY endpoints.subscription`)

/** Every subscription ever known, by name. Costs a few look-ups for each, whatever the size of the ledger. */
export async function endpointOverviews(db: Pick<Transaction, 'all'>): Promise<readonly EndpointOverview[]> {
  return (await db.all(ENDPOINTS)).map((row) => ({
    ...toFacts(row),
    configured: row.configured === 1,
    enabled: row.enabled === 1,
    counts: counts(row),
    oldestPendingAt: row.oldestPendingAt,
  }))
}

function counts({ amounts, states }: EndpointRow): EndpointOverview['counts'] {
  const known = { pending: 0, delivered: 0, exhausted: 0, held: 0, discarded: 0 }
  for (const [nth, state] of (states ?? []).entries()) known[state] = Number(amounts?.[nth] ?? 0)
  return known
}
