import type { DeliveryState } from '../../model/delivery.ts'
import type { EndpointOverview } from '../ports.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

interface EndpointRow {
  readonly subscription: string
  readonly configured: number
  readonly enabled: number
  readonly disabled_reason: string | null
  readonly disabled_at: number | null
  readonly failures_in_row: number
  readonly last_success_at: number | null
}

const ENDPOINTS = new Query<EndpointRow>('SELECT * FROM endpoints ORDER BY subscription')
const TALLIES = new Query<{ state: DeliveryState; amount: number }>(
  'SELECT state, amount FROM tallies WHERE subscription = ?',
)
const OLDEST_PENDING = new Query<{ at: number }>(`
  SELECT event.stored_at AS at FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event
  WHERE delivery.subscription = ? AND delivery.state = 'pending' AND delivery.test = 0 ORDER BY delivery.event LIMIT 1`)

/** Every subscription ever known, by name. Costs a few look-ups for each, whatever the size of the ledger. */
export function endpointOverviews(db: Connection): readonly EndpointOverview[] {
  return db.all(ENDPOINTS).map((row) => toOverview(db, row))
}

function toOverview(db: Connection, row: EndpointRow): EndpointOverview {
  const { subscription, disabled_at: at, disabled_reason: reason } = row
  return {
    subscription,
    configured: row.configured === 1,
    enabled: row.enabled === 1,
    disabled: at === null ? null : { reason: reason ?? '', at },
    counts: counts(db, subscription),
    failuresInARow: row.failures_in_row,
    lastSuccessAt: row.last_success_at,
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
