import type { DeliveryState } from '../../model/delivery.ts'
import { failureCause } from '../../model/failure-cause.ts'
import { subscriptionsAsked } from '../../model/scope.ts'
import type { FailureFilter, FailureGroup } from '../ports/log-query-port.ts'
import { type LedgerRow, ledgerRows, toDelivery } from '../deliveries/ledger-rows.ts'
import { type Ask, chosenAccounts, type Dialect, endpointNames, isOfChosen } from './dialect.ts'
import type { Lookup } from './lookup.ts'

/** Rows that are looked at, shared among subscriptions: some milliseconds. */
const MOST_LOOKED_AT = 2_000
const LEAST_OF_ONE = 20
const MOST_OF_ONE = 500

/** Failed rows of each subscription that are looked at. */
function failuresOfEach(subscriptions: number): number {
  const share = Math.floor(MOST_LOOKED_AT / Math.max(subscriptions, 1))
  return Math.min(Math.max(share, LEAST_OF_ONE), MOST_OF_ONE)
}

/** States of rows that failed and are not delivered, as far as a filter lets them through. */
function failedStates({ states }: FailureFilter): readonly DeliveryState[] {
  return FAILED_STATES.filter((state) => states?.includes(state) ?? true)
}

const FAILED_STATES = ['pending', 'held', 'exhausted'] as const satisfies readonly DeliveryState[]

/** Why a row failed; null: it did not. */
export function causeOfFailure({
  error,
  status,
}: {
  readonly error: string | null
  readonly status: number | null
}): string | null {
  return error === null ? null : failureCause({ status, error })
}

interface FailedRow {
  readonly subscription: string
  readonly ref: number
  readonly status: number | null
  readonly error: string
  readonly asked: number
}

interface Group extends Omit<FailureGroup, 'example'> {
  readonly newest: number
}

/** `LogQueryStore.failures`, inside one read transaction. */
export function failureGroups<Source>(
  dialect: Dialect<Source>,
): (source: Source, filter: FailureFilter) => Lookup<readonly FailureGroup[]> {
  const [failed, names, ledger] = [failedRows(dialect), endpointNames(dialect), ledgerRows(dialect)]
  return function* (source, filter) {
    const { since: at } = filter
    const subscriptions = yield* names(source, subscriptionsAsked(filter))
    const most = failuresOfEach(subscriptions.length)
    const since = at === undefined ? 0 : yield* dialect.lowerBoundSince(source, at)
    const values = {
      most: most + 1,
      since,
      rangSince: at ?? 0,
      states: failedStates(filter),
      ...chosenAccounts(filter),
    }
    const bySubscription = Map.groupBy(yield* failed(source, { ...values, subscriptions }), (row) => row.subscription)
    const groups = [...bySubscription.values()].flatMap((rows) => groupsOf(rows, most))
    const examples = yield* ledger.byRef(
      source,
      groups.map(({ newest }) => newest),
    )
    return groups.flatMap((group) => withExample(group, examples))
  }
}

function failedRows<Source>(dialect: Dialect<Source>): Ask<Source, FailedRow> {
  const { all, by, isOneOf, only } = dialect
  const ofSubscription = (subscription: string): string => `
    FROM deliveries ${by('deliveries_failed')}
    WHERE subscription = ${subscription} AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')
      AND event >= :since
    ORDER BY event DESC LIMIT CAST(:most AS integer)`
  // SQLite has no LATERAL; a list of keys does as well there, as it reads the index alone for them.
  const asked = only({
    sqlite: `
      json_each(:subscriptions) AS asked CROSS JOIN deliveries AS failed
      WHERE failed.ref IN (SELECT ref ${ofSubscription('asked.value')})`,
    postgres: `
      unnest(:subscriptions::text[]) WITH ORDINALITY AS asked(value, key)
      CROSS JOIN LATERAL (SELECT ref, event, state, subscription, last_status, last_error ${ofSubscription('asked.value')}) AS failed`,
  })
  return all(`
    SELECT failed.subscription, failed.ref, failed.last_status AS status, failed.last_error AS error,
      CASE WHEN ${isOneOf('failed.state', 'states', 'text')} AND (
        SELECT timestamp >= :rangSince AND ${isOfChosen(dialect)}
        FROM events WHERE events.ref = failed.event
      ) THEN 1 ELSE 0 END AS asked
    FROM ${asked}
    ORDER BY asked.key, failed.event DESC`)
}

/** Groups of one subscription, the cause of the newest row first. */
function groupsOf(failed: readonly FailedRow[], most: number): readonly Group[] {
  const more = failed.length > most
  const asked = failed.slice(0, most).filter((row) => row.asked === 1)
  return [...Map.groupBy(asked, failureCause)].flatMap(([cause, rows]) => {
    const [newest] = rows
    if (newest === undefined) return []
    const { ref, status, subscription } = newest
    return [{ subscription, status, cause, rows: rows.length, more, newest: ref }]
  })
}

function withExample({ newest, ...group }: Group, examples: ReadonlyMap<number, LedgerRow>): readonly FailureGroup[] {
  const row = examples.get(newest)
  return row === undefined ? [] : [{ ...group, example: toDelivery(row) }]
}
