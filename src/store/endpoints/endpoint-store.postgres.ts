import { disabled, type Disabling } from '../../ledger/endpoint-state.ts'
import { STANDINGS, type StandingRow, toStanding } from './endpoint-record.ts'
import type { EndpointDisabling } from '../ports/admin-port.ts'
import type { EndpointStore } from '../ports/delivery-port.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { changeEndpoint } from './endpoint-record.postgres.ts'
import { unsettle } from './sync-endpoints.postgres.ts'

const FACTS = Query.frequent<StandingRow>(STANDINGS)
const STILL_FAILS = new Query(`
  SELECT 1 FROM endpoints WHERE subscription = :subscription AND failing_since = :failingSince FOR NO KEY UPDATE`)

/** Disables an endpoint, and has its rows follow; the first reason stays. It is held, because other workers change it, too. */
async function shut(
  tx: Transaction,
  { subscription, ...why }: Disabling & { readonly subscription: string },
): Promise<void> {
  const isShut = await changeEndpoint(tx, subscription, (endpoint) => disabled(endpoint, why))
  if (isShut) await unsettle(tx, subscription, why.at)
}

/** Disables an endpoint for a command, or because it failed for too long, where it still does. */
export async function disable(
  tx: Transaction,
  subscription: string,
  { failingSince, ...why }: EndpointDisabling,
): Promise<void> {
  if (failingSince === undefined) await shut(tx, { subscription, ...why, by: 'command' })
  else if ((await tx.one(STILL_FAILS, { subscription, failingSince })) !== undefined)
    await shut(tx, { subscription, ...why, by: 'failing' })
}

export function endpointStore(db: Database): EndpointStore {
  return { endpointFacts: async () => (await db.all(FACTS)).map(toStanding) }
}
