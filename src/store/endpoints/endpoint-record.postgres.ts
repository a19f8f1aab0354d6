import { ENDPOINT_RECORD } from './endpoint-record.ts'
import type { EndpointSwitches } from '../../ledger/endpoint-state.ts'
import type { Transaction } from '../server/database.ts'
import { type BoundValues, JsonQuery, Query } from '../server/query.ts'
import type { SendingEndpoint } from '../../ledger/settle.ts'

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

export interface EndpointOfRecord extends SendingEndpoint {
  readonly subscription: string
  /** The window of its rate; null: it has none, and nothing is counted. */
  readonly paced_ms: number | null
}

const ROW = `SELECT configured, enabled, paced_ms, ${ENDPOINT_RECORD.names} FROM endpoints`
/**
 * Holds the endpoints of deliveries until the transaction ends, and reads them as they are then: all before the first is changed, because
 * other workers change them, too, and each statement is a round trip.
 */
export const HOLD = new JsonQuery<EndpointOfRecord>(`
  ${ROW}
  WHERE subscription IN (SELECT subscription FROM deliveries WHERE id = ANY(:ids::text[]))
  ORDER BY subscription FOR NO KEY UPDATE`)
const HOLD_ONE = new Query<EndpointOfRecord>(`${ROW} WHERE subscription = :subscription FOR NO KEY UPDATE`)
const REGISTER_ONE = new Query('INSERT INTO endpoints (subscription) VALUES (:subscription) ON CONFLICT DO NOTHING')
const PREFIX = 'endpoint_'
/** Writes `recordsOf`. */
export const WRITE_RECORDS = `
  UPDATE endpoints SET ${ENDPOINT_RECORD.without('subscription').assigned('row')}
  FROM ${ENDPOINT_RECORD.unnested(PREFIX)} AS row (${ENDPOINT_RECORD.names}) WHERE endpoints.subscription = row.subscription`
const WRITE = new Query(WRITE_RECORDS)

/** What became of endpoints that are held, of those that are others now. */
export function recordsOf(
  before: readonly EndpointOfRecord[],
  known: ReadonlyMap<string, EndpointOfRecord>,
): BoundValues {
  const changed = before.flatMap((endpoint) => {
    const now = known.get(endpoint.subscription)
    return now === undefined || now === endpoint ? [] : [now]
  })
  return ENDPOINT_RECORD.listed(changed, PREFIX)
}

/** Holds an endpoint, whose row is made where it is missing, and writes what it is changed to. Returns whether that is another. */
export async function changeEndpoint(
  tx: Transaction,
  subscription: string,
  change: (endpoint: EndpointOfRecord) => EndpointOfRecord,
): Promise<boolean> {
  await tx.run(REGISTER_ONE, { subscription })
  const before = await tx.one(HOLD_ONE, { subscription })
  const endpoint = before === undefined ? undefined : change(before)
  if (before === undefined || endpoint === undefined || endpoint === before) return false
  await tx.run(WRITE, recordsOf([before], new Map([[subscription, endpoint]])))
  return true
}
