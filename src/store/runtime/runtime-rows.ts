import { DELIVERY_STATES } from '../../model/delivery.ts'
import type { NameFacts, RuntimeSubscription } from '../../model/runtime-subscription.ts'
import { TABLES } from '../tables/tables.ts'
import { settingsSql } from '../deliveries/set-columns.ts'

/** A subscription made at run time that is in force as the file has none of its name, as a condition over its row. */
export const MADE_AT_RUN_TIME = "ended_at IS NULL AND coalesce(disabled_by, '') <> 'file'"

export const SURVEY = `SELECT ${TABLES.runtime_subscriptions.selected()} FROM runtime_subscriptions ORDER BY name`
export const REVISION = 'SELECT revision FROM runtime_revision'

export type RuntimeRow = RuntimeSubscription

export interface FactsRow {
  readonly isOfFile: number
  readonly hasEndpoint: number
  readonly hasRows: number
  readonly hasWaiting: number
}

/** State by state: each is one step in the index. `name`: how the statement names it. */
export function factsOf(name: string): string {
  const rows = DELIVERY_STATES.map(
    (state) => `EXISTS (SELECT 1 FROM deliveries WHERE state = '${state}' AND subscription = ${name})`,
  )
  return `
    SELECT CASE WHEN EXISTS (
        SELECT 1 FROM endpoints WHERE subscription = ${name} AND configured = 1 AND NOT EXISTS (
          SELECT 1 FROM runtime_subscriptions WHERE name = endpoints.subscription AND ${MADE_AT_RUN_TIME})
      ) THEN 1 ELSE 0 END AS "isOfFile",
      CASE WHEN EXISTS (SELECT 1 FROM endpoints WHERE subscription = ${name}) THEN 1 ELSE 0 END AS "hasEndpoint",
      CASE WHEN ${rows.join(' OR ')} THEN 1 ELSE 0 END AS "hasRows",
      CASE WHEN EXISTS (
        SELECT 1 FROM tallies WHERE subscription = ${name} AND state IN ('pending', 'held') AND amount > 0
      ) THEN 1 ELSE 0 END AS "hasWaiting"`
}

export function toFacts({ hasEndpoint, hasRows, hasWaiting, isOfFile }: FactsRow): NameFacts {
  return {
    isOfFile: isOfFile === 1,
    hasEndpoint: hasEndpoint === 1,
    hasRows: hasRows === 1,
    hasWaiting: hasWaiting === 1,
  }
}

/** What is left of a name that the ledger has no row of; `named`: the condition that chooses it. */
export function forgetting(named: string): readonly string[] {
  return [
    `DELETE FROM runtime_subscriptions WHERE name ${named}`,
    `DELETE FROM tallies WHERE subscription ${named}`,
    `DELETE FROM endpoints WHERE subscription ${named} AND configured = 0`,
    ...['snapshot_runs', 'snapshot_parts'].map(
      (table) =>
        `DELETE FROM ${table} WHERE subscription ${named} AND subscription NOT IN (SELECT subscription FROM endpoints)`,
    ),
  ]
}

/** What is on record of an endpoint before anything was sent to it. */
export const BEGUN = settingsSql({
  disabled_reason: null,
  disabled_at: null,
  disabled_by: null,
  failures_in_row: 0,
  failing_since: null,
  exhausted_since: null,
  last_failure_at: null,
  last_success_at: null,
  last_error: null,
  failing_for: 0,
  failed_at: null,
  recovering: 0,
})

/** Whether an endpoint begins so, bound by the name `begins`, as a condition over its row. */
export const BEGINS = "(CAST(:begins AS text) = 'at once' OR coalesce(disabled_by, '') <> 'command')"
