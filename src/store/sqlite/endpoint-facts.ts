import type { DisabledBy, EndpointFacts } from '../../model/endpoint.ts'
import type { EndpointLoad, EndpointStore, GivingUp } from '../endpoint-port.ts'
import type { Connection } from './connection.ts'
import { shut } from './endpoint-gate.ts'
import { Query } from './query.ts'

/** The part of an endpoint's row that says how it fares. */
export interface FactsRow {
  readonly subscription: string
  readonly disabled_reason: string | null
  readonly disabled_at: number | null
  readonly disabled_by: DisabledBy | null
  readonly failures_in_row: number
  readonly failing_since: number | null
  readonly failing_for: number
  readonly exhausted_since: number | null
  readonly last_failure_at: number | null
  readonly last_success_at: number | null
  readonly last_error: string | null
}

// Of a disabled endpoint pending rows are to be held yet.
const FACTS = new Query<FactsRow & { readonly held: number }>(`
  SELECT endpoints.*, ifnull((
    SELECT sum(amount) FROM tallies
    WHERE tallies.subscription = endpoints.subscription AND state IN ('held', 'pending') AND disabled_at IS NOT NULL
  ), 0) AS held
  FROM endpoints WHERE configured = 1 AND enabled = 1 ORDER BY endpoints.subscription`)
const LOADS = new Query<EndpointLoad>(`
  SELECT endpoints.subscription, failures_in_row AS failuresInARow, ifnull(amount, 0) AS pending
  FROM endpoints LEFT JOIN tallies ON tallies.subscription = endpoints.subscription AND state = 'pending'
  WHERE configured = 1`)
const STILL_FAILS = new Query('SELECT 1 FROM endpoints WHERE subscription = ? AND failing_since = ?')

export function endpointStore(db: Connection): EndpointStore {
  return {
    endpointFacts: () => db.read(() => db.all(FACTS).map((row) => ({ ...toFacts(row), held: row.held }))),
    endpointLoads: () => db.read(() => db.all(LOADS)),
    giveUp: (giving) => db.write(() => giveUp(db, giving)),
  }
}

export function toFacts(row: FactsRow): Omit<EndpointFacts, 'held'> {
  const { disabled_at: at, disabled_reason: reason, disabled_by: by } = row
  return {
    subscription: row.subscription,
    failuresInARow: row.failures_in_row,
    failingSince: row.failing_since,
    failingForMs: row.failing_for,
    lastFailureAt: row.last_failure_at,
    lastError: row.last_error,
    lastSuccessAt: row.last_success_at,
    exhaustedSince: row.exhausted_since,
    disabled: at === null || reason === null || by === null ? null : { reason, at, by },
  }
}

function giveUp(db: Connection, { failingSince, ...giving }: GivingUp): void {
  if (db.one(STILL_FAILS, giving.subscription, failingSince) === undefined) return
  shut(db, { ...giving, by: 'failing' })
}
