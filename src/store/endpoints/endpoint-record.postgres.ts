import type { SendingEndpoint } from '../../ledger/settle.ts'
import { assigned, listed, namesOf, unnested } from '../server/column-lists.ts'
import type { Write } from '../server/connection-transaction.ts'
import { Query } from '../server/query.ts'

export interface EndpointOfRecord extends SendingEndpoint {
  readonly subscription: string
  /** The window of its rate; null: it has none, and nothing is counted. */
  readonly paced_ms: number | null
}

const RECORD = {
  failures_in_row: 'bigint',
  failing_since: 'bigint',
  failing_for: 'bigint',
  failed_at: 'bigint',
  exhausted_since: 'bigint',
  last_failure_at: 'bigint',
  last_success_at: 'bigint',
  last_error: 'text',
  recovering: 'bigint',
} as const
const NAMED = { subscription: 'text', ...RECORD } as const

/** Holds the endpoints of deliveries until the transaction ends, and reads them as they are then. */
export const HOLD = Query.frequent<EndpointOfRecord>(`
  SELECT configured, enabled, disabled_reason, disabled_at, disabled_by, paced_ms, ${namesOf(NAMED)} FROM endpoints
  WHERE subscription IN (SELECT subscription FROM deliveries WHERE id = ANY(:ids::text[]))
  ORDER BY subscription FOR NO KEY UPDATE`)
const WRITE = Query.frequent(`
  UPDATE endpoints SET ${assigned(RECORD, 'row')}
  FROM ${unnested(NAMED)} AS row (${namesOf(NAMED)}) WHERE endpoints.subscription = row.subscription`)

/** What became of endpoints that are held. */
export function writeRecords(
  before: readonly EndpointOfRecord[],
  known: ReadonlyMap<string, EndpointOfRecord>,
): readonly Write[] {
  const changed = before.flatMap((endpoint) => {
    const now = known.get(endpoint.subscription)
    return now === undefined || now === endpoint ? [] : [now]
  })
  return changed.length === 0 ? [] : [{ query: WRITE, values: listed(NAMED, changed) }]
}
