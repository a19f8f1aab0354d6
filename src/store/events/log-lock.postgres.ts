import type { EndpointSwitches } from '../../ledger/endpoint-state.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const LOCK = new Query('SELECT hold_log()')
const LOCK_WITH_ENDPOINTS = Query.frequent<{ last: number; endpoints: readonly HeldEndpoint[] }>(
  'SELECT last, endpoints FROM hold_log_with(:subscriptions::text[])',
)

interface HeldEndpoint extends EndpointSwitches {
  readonly subscription: string
  readonly ordered: number
}

/** Holds the log until the transaction ends. */
export async function lockLog(tx: Transaction): Promise<void> {
  await tx.all(LOCK)
}

/** Where the log ends that is held, and the endpoints that are held behind it, by name. */
export interface LogEnd {
  readonly last: number
  readonly endpoints: ReadonlyMap<string, HeldEndpoint>
}

/** Holds the log until the transaction ends, and then endpoints, whose missing rows it makes. */
export async function lockLogEnd(tx: Transaction, subscriptions: readonly string[]): Promise<LogEnd> {
  const { endpoints = [], last = 0 } = (await tx.one(LOCK_WITH_ENDPOINTS, { subscriptions })) ?? {}
  return { last, endpoints: new Map(endpoints.map((endpoint) => [endpoint.subscription, endpoint])) }
}
