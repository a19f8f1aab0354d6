import type { DeliveryState } from '../../model/delivery.ts'
import type { EndpointOverview } from '../overviews.ts'
import type { Connection } from './connection.ts'
import { toFacts, type FactsRow } from './endpoint-facts.ts'
import { endpointNames } from './endpoint-gate.ts'
import { Query } from './query.ts'
import { loadSteady } from './steady-row.ts'

interface EndpointRow extends FactsRow {
  readonly configured: number
  readonly enabled: number
}

const ENDPOINTS = new Query<EndpointRow>('SELECT * FROM endpoints ORDER BY subscription')
const TALLIES = new Query<{ state: DeliveryState; amount: number }>(
  'SELECT state, amount FROM tallies WHERE subscription = ?',
)
const OLDEST_PENDING = new Query<{ at: number }>(`
  SELECT event.stored_at AS at FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event
  WHERE delivery.subscription = ? AND delivery.state = 'pending' AND delivery.test = 0 ORDER BY delivery.event LIMIT 1`)

const DEFERRED = new Query<{ amount: number }>(`
  SELECT count(*) AS amount FROM deliveries INDEXED BY deliveries_waiting
  WHERE subscription = ? AND state = 'pending' AND turn IS NOT 0 AND wake_at > ?
    AND claimed_by IS NULL AND round = 0 AND test = 0`)

/** What no attempt put off. Costs a look at each row that waits. */
export function deferredRows(db: Connection, now: number): number {
  const steadyNow = now + loadSteady(db).aheadMs
  return endpointNames(db).reduce((sum, name) => sum + (db.one(DEFERRED, name, steadyNow)?.amount ?? 0), 0)
}

/** Every subscription ever known, by name. Costs a few look-ups for each, whatever the size of the ledger. */
export function endpointOverviews(db: Connection): readonly EndpointOverview[] {
  return db.all(ENDPOINTS).map((row) => toOverview(db, row))
}

function toOverview(db: Connection, row: EndpointRow): EndpointOverview {
  const { subscription } = row
  return {
    ...toFacts(row),
    configured: row.configured === 1,
    enabled: row.enabled === 1,
    counts: counts(db, subscription),
    oldestPendingAt: db.one(OLDEST_PENDING, subscription)?.at ?? null,
  }
}

function counts(db: Connection, subscription: string): EndpointOverview['counts'] {
  const amounts = { pending: 0, delivered: 0, exhausted: 0, held: 0, discarded: 0 }
  for (const { state, amount } of db.all(TALLIES, subscription)) {
    amounts[state] = amount
  }
  return amounts
}
