import { failureCause } from '../../model/failure-cause.ts'
import type { FailureGroup } from '../log-query-port.ts'
import { failuresOfEach } from '../common/failures.ts'
import type { Connection } from './connection.ts'
import { loadDelivery } from './ledger-rows.ts'
import { endpointNames } from './endpoint-rows.ts'
import { Query } from './query.ts'

interface FailedRow {
  readonly id: string
  readonly status: number | null
  readonly error: string
}

const FAILED = new Query<FailedRow>(`
  SELECT id, last_status AS status, last_error AS error FROM deliveries INDEXED BY deliveries_failed
  WHERE subscription = ? AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')
  ORDER BY event DESC LIMIT CAST(? AS INTEGER)`)

/** `LogQueryStore.failures`, inside one read transaction. */
export function failureGroups(db: Connection, only: string | undefined): readonly FailureGroup[] {
  const subscriptions = only === undefined ? endpointNames(db) : [only]
  const most = failuresOfEach(subscriptions.length)
  return subscriptions.flatMap((subscription) => groupsOf(db, subscription, most))
}

/** The cause of the newest row first. */
function groupsOf(db: Connection, subscription: string, most: number): readonly FailureGroup[] {
  const failed = db.all(FAILED, subscription, most + 1)
  const more = failed.length > most
  const byCause = Map.groupBy(failed.slice(0, most), failureCause)
  return [...byCause].flatMap(([cause, rows]) => {
    const [newest] = rows
    const example = newest === undefined ? null : loadDelivery(db, newest.id)
    if (newest === undefined || example === null) return []
    return [{ subscription, status: newest.status, cause, rows: rows.length, more, example }]
  })
}
