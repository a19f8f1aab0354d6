import { disabled, type Disabling } from '../../ledger/endpoint-state.ts'
import { type FactsRow, toFacts } from './endpoint-record.ts'
import type { EndpointLoad, EndpointStore, GivingUp } from '../ports/delivery-port.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { changeEndpoint } from './endpoint-record.postgres.ts'
import { unsettle } from './settle-slice.postgres.ts'

// Of a disabled endpoint pending rows are to be held yet.
const FACTS = Query.frequent<FactsRow & { readonly held: number }>(`
  SELECT endpoints.*, coalesce((
    SELECT sum(amount) FROM tallies
    WHERE tallies.subscription = endpoints.subscription AND state IN ('held', 'pending') AND disabled_at IS NOT NULL
  ), 0) AS held
  FROM endpoints WHERE configured = 1 AND enabled = 1 ORDER BY endpoints.subscription`)
const LOADS = Query.frequent<EndpointLoad>(`
  SELECT endpoints.subscription, failures_in_row AS "failuresInARow", coalesce(amount, 0) AS pending
  FROM endpoints LEFT JOIN tallies ON tallies.subscription = endpoints.subscription AND state = 'pending'
  WHERE configured = 1`)
const STILL_FAILS = new Query(`
  SELECT 1 FROM endpoints WHERE subscription = :subscription AND failing_since = :failingSince FOR NO KEY UPDATE`)

/** Disables an endpoint, and has its rows follow; the first reason stays. */
export async function shut(
  tx: Transaction,
  { subscription, ...why }: Disabling & { readonly subscription: string },
): Promise<void> {
  const isShut = await changeEndpoint(tx, subscription, (endpoint) => disabled(endpoint, why))
  if (isShut) await unsettle(tx, subscription, why.at)
}

export function endpointStore(db: Database): EndpointStore {
  return {
    endpointFacts: async () => (await db.all(FACTS)).map((row) => ({ ...toFacts(row), held: row.held })),
    endpointLoads: () => db.all(LOADS),
    giveUp: (giving) => giveUp(db, giving),
  }
}

async function giveUp(db: Database, { failingSince, ...giving }: GivingUp): Promise<void> {
  await db.write(async (tx) => {
    const fails = await tx.one(STILL_FAILS, { subscription: giving.subscription, failingSince })
    if (fails !== undefined) await shut(tx, { ...giving, by: 'failing' })
  })
}
