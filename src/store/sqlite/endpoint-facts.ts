import type { DisabledBy, EndpointFacts } from '../../model/endpoint.ts'
import type { EndpointStore, GivingUp } from '../endpoint-port.ts'
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

const FACTS = new Query<FactsRow & { readonly held: number }>(`
  SELECT endpoints.*, ifnull(amount, 0) AS held
  FROM endpoints LEFT JOIN tallies ON tallies.subscription = endpoints.subscription AND state = 'held'
  WHERE configured = 1 AND enabled = 1 ORDER BY endpoints.subscription`)
const STILL_FAILS = new Query('SELECT 1 FROM endpoints WHERE subscription = ? AND failing_since = ?')

export function endpointStore(db: Connection): EndpointStore {
  return {
    endpointFacts: () => db.read(() => db.all(FACTS).map((row) => ({ ...toFacts(row), held: row.held }))),
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
