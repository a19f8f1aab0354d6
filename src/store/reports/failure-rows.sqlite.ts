import { failureCause } from '../../model/failure-cause.ts'
import type { FailureFilter, FailureGroup } from '../ports/log-query-port.ts'
import { failedStates, failuresOfEach } from './failure-rows.ts'
import type { Connection } from '../file/connection.ts'
import { loadDelivery } from '../deliveries/ledger-rows.sqlite.ts'
import { lowerBoundSince } from '../events/event-totals.sqlite.ts'
import { endpointNames } from '../endpoints/endpoint-store.sqlite.ts'
import { Query } from '../file/query.ts'

interface FailedRow {
  readonly id: string
  readonly status: number | null
  readonly error: string
  readonly isAsked: number
}

const FAILED = new Query<FailedRow>(`
  SELECT failed.id, failed.last_status AS status, failed.last_error AS error,
    failed.state IN (SELECT value FROM json_each(:states)) AND (:account IS NULL OR events.account = :account)
      AND events.timestamp >= :rangSince AS isAsked
  FROM (
    SELECT id, event, last_status, last_error, state FROM deliveries INDEXED BY deliveries_failed
    WHERE subscription = :subscription AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')
      AND event >= :since
    ORDER BY event DESC LIMIT CAST(:most AS INTEGER)
  ) AS failed CROSS JOIN events ON events.ref = failed.event`)

/** `LogQueryStore.failures`, inside one read transaction. */
export function failureGroups(db: Connection, filter: FailureFilter): readonly FailureGroup[] {
  const { account = null, since: at, subscription: only } = filter
  const subscriptions = only === undefined ? endpointNames(db) : [only]
  const most = failuresOfEach(subscriptions.length)
  const since = at === undefined ? 0 : lowerBoundSince(db, at)
  const states = JSON.stringify(failedStates(filter))
  return subscriptions.flatMap((subscription) =>
    groupsOf(db, { subscription, most, since, rangSince: at ?? 0, account, states }),
  )
}

interface Asked {
  readonly subscription: string
  readonly most: number
  /** No event before this `ref` rang since. */
  readonly since: number
  readonly rangSince: number
  readonly account: string | null
  /** JSON. */
  readonly states: string
}

/** The cause of the newest row first. */
function groupsOf(db: Connection, asked: Asked): readonly FailureGroup[] {
  const { most, subscription } = asked
  const failed = db.all(FAILED, { ...asked, most: most + 1 })
  const more = failed.length > most
  const byCause = Map.groupBy(
    failed.slice(0, most).filter(({ isAsked }) => isAsked === 1),
    failureCause,
  )
  return [...byCause].flatMap(([cause, rows]) => {
    const [newest] = rows
    const example = newest === undefined ? null : loadDelivery(db, newest.id)
    if (newest === undefined || example === null) return []
    return [{ subscription, status: newest.status, cause, rows: rows.length, more, example }]
  })
}
